import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { startCli } from "../cli/run-cli.ts";
import type { TestSystem } from "../support/system.ts";
import { inTab } from "../support/tab.ts";
import { choose, composer, follow, open, publish, sendRegistration, sendSignIn } from "./open.ts";
import { pageSuite } from "./page-suite.ts";
import { newName } from "./register.ts";

let system: TestSystem;
/** The session of the third user. */
let asCy: Headers;
const Users = await pageSuite("a day of two users", (started) => (system = started));

// After each step the page, a third user and an anonymous caller must show it in the next read.
Users.test("follows, requests, publishes, answers, marks, blocks, reports, is suspended and reinstated", async () => {
  const [ann, bea, cy] = [newName("ann"), newName("bea"), newName("cy")];
  const { sessionId } = await system.clients.account.registration({
    userName: cy,
    password: "correct horse",
    autoLogin: true,
  });
  asCy = { authorization: `Bearer ${sessionId}` };
  await inTab(Users.browser, system.url, {}, ({ page: ofAnn }) =>
    inTab(Users.browser, system.url, { viewport: { width: 360, height: 740 } }, async ({ page: ofBea }) => {
      await join(ofAnn, ann);
      await join(ofBea, bea);
      await protect(ofBea, bea);
      await askAndApprove(ofAnn, ofBea, ann, bea);
      const ofFour = await write(ofAnn, ofBea, bea);
      const greeting = await answerAndMark(ofAnn, ofBea, ann);
      await report(ofAnn, bea);
      await block(ofAnn, ofBea, [ann, greeting], [bea, ofFour]);
      await suspend(ofAnn, ofBea, ann, greeting);
    }),
  );
});

Users.run();

async function join(page: Page, name: string): Promise<void> {
  await open(page, "/join");
  await sendRegistration(page, name);
  await page.getByText(`Welcome, ${name}`).waitFor();
  assert.equal(await seen(name, 1), ["1 0 404 0 0", "1 0 404 0 0"]);
}

async function protect(page: Page, name: string): Promise<void> {
  await choose(page, "Settings");
  await page.getByLabel("About you").fill("Writes in four scripts");
  await page.getByLabel("Links and initial").fill("#123456");
  assert.match((await page.locator(".profile .avatar").getAttribute("style")) ?? "", "rgb(18, 52, 86)");
  await page.getByLabel("Protect my statuses").check();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Your profile is saved.").waitFor();
  const [profile] = (await read(`/social/${name}`)).results ?? [];
  assert.equal([profile?.protected, profile?.profile_link_color], [true, "123456"]);
  assert.equal(await seen(name, 1), ["1 403 404 403 403", "1 401 404 401 401"]);
}

/** The views of a protected user and a status of the user. */
const ofProtected = ["1 403 403 403 403", "1 401 401 401 401"];

async function askAndApprove(ofAnn: Page, ofBea: Page, ann: string, bea: string): Promise<void> {
  await follow(ofAnn, `/@${bea}`);
  assert.match(await ofAnn.locator(".note").innerText(), "only approved followers");
  await ofAnn.getByRole("button", { name: "Follow", exact: true }).click();
  await ofAnn.getByText(`@${bea} has been asked.`).waitFor();
  await ofAnn.getByRole("button", { name: "Requested" }).waitFor();
  assert.equal(await seen(ann, 1), ["1 0 404 0 0", "1 0 404 0 0"]);
  await choose(ofBea, "Follow requests");
  await ofBea.getByRole("button", { name: `Approve @${ann}` }).click();
  await ofBea.getByText(`@${ann} follows you now.`).waitFor();
  await ofBea.getByText("No one is waiting").waitFor();
  assert.equal(await seen(ann, 1), ["1 0 404 0 1", "1 0 404 0 1"]);
  await open(ofAnn, `/@${bea}`);
  await ofAnn.getByRole("button", { name: "Following" }).waitFor();
}

const texts = [
  "Bread at six 🥖 https://example.com/bread",
  "Хлеб в шесть 👩🏽‍🍳 https://пример.рф/хлеб",
  "الخبز في السادسة 🌅 https://example.com/x",
  "六時のパン 🍞 https://example.com/パン",
];

/** @returns the id of one of the statuses */
async function write(ofAnn: Page, ofBea: Page, bea: string): Promise<number> {
  await follow(ofBea, "/");
  for (const text of texts) {
    await composer(ofBea).fill(text);
    await ofBea.getByRole("button", { name: "Publish" }).click();
    await ofBea.locator(".statuses .words", { hasText: text.slice(0, 9) }).waitFor();
  }
  await open(ofAnn, `/@${bea}`);
  assert.is(await ofAnn.locator(".status").count(), 4);
  assert.is(await ofAnn.locator(".words:dir(rtl)").count(), 1);
  assert.is(await ofAnn.locator(".words a[data-outside]").count(), 4);
  const id = Number(await ofAnn.locator(".status").first().getAttribute("data-id"));
  assert.equal(await seen(bea, id), ofProtected);
  assert.is((await read(`/social/${bea}`)).results?.[0]?.status, undefined);
  return id;
}

/** @returns the id of the status that was answered */
async function answerAndMark(ofAnn: Page, ofBea: Page, ann: string): Promise<number> {
  await follow(ofAnn, "/");
  await publish(ofAnn, "Good morning #town");
  await follow(ofBea, `/@${ann}`);
  await ofBea.getByRole("button", { name: "Favourite" }).click();
  await ofBea.getByRole("button", { name: "Repost" }).click();
  await ofBea.getByRole("button", { name: "Repost, 1 repost" }).waitFor();
  await ofBea.getByRole("button", { name: "Reply" }).click();
  await ofBea.getByLabel(`Reply to @${ann}`).fill(`@${ann} and to you`);
  await ofBea.getByRole("dialog").getByRole("button", { name: "Reply" }).click();
  await ofBea.getByText("Your reply is published.").waitFor();
  const [status] = (await read(`/social/${ann}/timelines`, asCy)).results ?? [];
  assert.is(status?.text, "Good morning #town");
  const id = Number(status?.id);
  assert.equal(await seen(ann, id), ["1 1 1 0 1", "1 1 1 0 1"]);
  return id;
}

async function report(ofAnn: Page, bea: string): Promise<void> {
  await follow(ofAnn, `/@${bea}`);
  await choose(ofAnn, "Report…", ofAnn.locator(".relation"));
  await ofAnn.getByLabel("What is wrong?").fill("too much bread");
  await ofAnn.getByRole("button", { name: "Send the report" }).click();
  await ofAnn.getByText("The operator of this place will look at it.").waitFor();
  const { reports } = await system.clients.moderation.listReports({});
  assert.ok(reports.some(({ reason }) => reason === "too much bread"));

  await choose(ofAnn, "Report…", ofAnn.getByRole("article").first());
  await ofAnn.getByLabel("What is wrong?").fill("stale");
  await ofAnn.getByRole("button", { name: "Send the report" }).click();
  await ofAnn.getByRole("dialog").waitFor({ state: "detached" });
  const { reports: later } = await system.clients.moderation.listReports({});
  assert.ok(later.some(({ reason, statusId }) => reason === "stale" && statusId !== undefined));
}

/** @param ann the name and a status of ann @param bea likewise */
async function block(ofAnn: Page, ofBea: Page, ann: [string, number], bea: [string, number]): Promise<void> {
  await follow(ofBea, `/@${ann[0]}`);
  await choose(ofBea, "Block @", ofBea.locator(".relation"));
  await ofBea.getByText(`@${ann[0]} is blocked.`).waitFor();
  // All viewers see that the follow has ended, and no other change.
  assert.equal(await seen(...ann), ["1 1 1 0 0", "1 1 1 0 0"]);
  assert.equal(await seen(...bea), ofProtected);
  await open(ofAnn, `/@${bea[0]}`);
  assert.match(await ofAnn.locator(".note").innerText(), /blocked you|protected/);
  await follow(ofBea, "/settings/blocks");
  await ofBea.getByRole("button", { name: `Unblock @${ann[0]}` }).click();
  await ofBea.getByText("No one.").waitFor();
  assert.equal(await seen(...ann), ["1 1 1 0 0", "1 1 1 0 0"]);
  assert.equal(await seen(...bea), ofProtected);
}

async function suspend(ofAnn: Page, ofBea: Page, ann: string, id: number): Promise<void> {
  await follow(ofAnn, "/");
  await composer(ofAnn).fill("am I there?");
  await operate("suspend", ann);
  assert.equal(await seen(ann, id), ["0 403 403 403 403", "0 403 403 403 403"]);
  await follow(ofBea, `/@${ann}`);
  assert.is(await ofBea.locator("h1").innerText(), `@${ann} is suspended`);
  // The suspended user's sessions have ended, and so has her stream, by which the page notices it; with a new one she can read.
  await ofAnn.getByRole("link", { name: "Sign in again" }).click();
  await sendSignIn(ofAnn, ann);
  await ofAnn.getByText("Your account is suspended").waitFor();
  await ofAnn.getByRole("button", { name: "Publish" }).click();
  await ofAnn.getByText("your words are kept here").waitFor();

  await operate("reinstate", ann);
  assert.equal(await seen(ann, id), ["1 1 1 0 0", "1 1 1 0 0"]);
  await publish(ofAnn);
  assert.equal(await seen(ann, id), ["1 2 1 0 0", "1 2 1 0 0"]);
  await open(ofBea, `/@${ann}`);
  assert.is(await ofBea.locator(".words").first().innerText(), "am I there?");
}

/** Runs the operator's tool as `npm run account` does. */
async function operate(command: "suspend" | "reinstate", name: string): Promise<void> {
  const { ended } = startCli(["account", command, name], {
    ACCOUNT_URL: system.accountUrl,
    SOCIAL_URL: system.socialUrl,
  });
  const { code, err } = await ended;
  assert.is(code, 0, err);
}

type Headers = Record<string, string>;

interface Answer {
  status: number;
  results?: Record<string, unknown>[];
}

/**
 * The answers to the third user, and then to an anonymous caller, for a user's profile, timeline, one status, followers and friends:
 * the number of results, or the code of a refusal.
 */
function seen(name: string, id: number): Promise<string[]> {
  const paths = ["", "/timelines", `/timelines/${id}`, "/followers", "/friends"];
  return Promise.all(
    [asCy, {}].map(async (headers) => {
      const answers = await Promise.all(paths.map((path) => read(`/social/${name}${path}`, headers)));
      return answers.map(({ status, results }) => (status === 200 ? results?.length : status)).join(" ");
    }),
  );
}

async function read(path: string, headers: Headers = {}): Promise<Answer> {
  const reply = await fetch(system.url + path, { headers });
  return { ...((await reply.json()) as object), status: reply.status };
}
