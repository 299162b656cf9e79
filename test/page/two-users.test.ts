import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { startCli } from "../cli/run-cli.ts";
import { inTab } from "../support/tab.ts";
import { choose, composer, follow, newName, open, publish, sendRegistration, sendSignIn, settled } from "./acts.ts";
import { pageSuite } from "./page-suite.ts";

const Users = await pageSuite("a day of two users");
const { system } = Users;

// What one does is read in the other's window.
Users.test("follows, requests, publishes, answers, marks, blocks, reports, is suspended and reinstated", async () => {
  const [ann, bea] = [newName("ann"), newName("bea")];
  await inTab(Users.browser, system.url, {}, ({ page: ofAnn }) =>
    inTab(Users.browser, system.url, { viewport: { width: 360, height: 740 } }, async ({ page: ofBea }) => {
      await join(ofAnn, ann);
      await join(ofBea, bea);
      await protect(ofBea, bea);
      await askAndApprove(ofAnn, ofBea, ann, bea);
      await write(ofAnn, ofBea, bea);
      await answerAndMark(ofAnn, ofBea, ann);
      await report(ofAnn, bea);
      await block(ofAnn, ofBea, ann, bea);
      await suspend(ofAnn, ofBea, ann);
    }),
  );
});

Users.run();

async function join(page: Page, name: string): Promise<void> {
  await open(page, "/join");
  await sendRegistration(page, name);
  await page.getByText(`Welcome, ${name}`).waitFor();
  // A view that appears closes the menu.
  await settled(page);
}

async function protect(page: Page, name: string): Promise<void> {
  await choose(page, "Settings");
  await page.getByLabel("About you").fill("Writes in four scripts");
  await page.getByLabel("Links and initial").fill("#123456");
  assert.match((await page.locator(".profile .avatar").getAttribute("style")) ?? "", "rgb(18, 52, 86)");
  await page.getByLabel("Protect my statuses").check();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Your profile is saved.").waitFor();
  const [profile] = await Users.resultsOf(`/social/${name}`);
  assert.equal([profile?.protected, profile?.profile_link_color], [true, "123456"]);
}

async function askAndApprove(ofAnn: Page, ofBea: Page, ann: string, bea: string): Promise<void> {
  await follow(ofAnn, `/@${bea}`);
  assert.match(await ofAnn.locator(".note").innerText(), "only approved followers");
  assert.is(await ofAnn.locator(".mark.protected").count(), 1);
  await ofAnn.getByRole("button", { name: "Follow", exact: true }).click();
  await ofAnn.getByText(`@${bea} has been asked.`).waitFor();
  await ofAnn.getByRole("button", { name: "Requested" }).waitFor();
  await choose(ofBea, "Follow requests");
  await ofBea.getByRole("button", { name: `Approve @${ann}` }).click();
  await ofBea.getByText(`@${ann} follows you now.`).waitFor();
  await ofBea.getByText("No one is waiting").waitFor();
  await open(ofAnn, `/@${bea}`);
  await ofAnn.getByRole("button", { name: "Following" }).waitFor();
}

const texts = [
  "Bread at six 🥖 https://example.com/bread",
  "Хлеб в шесть 👩🏽‍🍳 https://пример.рф/хлеб",
  "الخبز في السادسة 🌅 https://example.com/x",
  "六時のパン 🍞 https://example.com/パン",
];

async function write(ofAnn: Page, ofBea: Page, bea: string): Promise<void> {
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
}

async function answerAndMark(ofAnn: Page, ofBea: Page, ann: string): Promise<void> {
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
  assert.equal(await Users.textsOf(ann), ["Good morning #town"]);
}

async function report(ofAnn: Page, bea: string): Promise<void> {
  await follow(ofAnn, `/@${bea}`);
  for (const [part, reason] of [
    [ofAnn.locator(".relation"), "too much bread"],
    [ofAnn.getByRole("article").first(), "stale"],
  ] as const) {
    await choose(ofAnn, "Report…", part);
    await ofAnn.getByLabel("What is wrong?").fill(reason);
    await ofAnn.getByRole("button", { name: "Send the report" }).click();
    await ofAnn.getByRole("dialog").waitFor({ state: "detached" });
    await ofAnn.getByText("The operator of this place will look at it.").first().waitFor();
    const { reports } = await system.clients.moderation.listReports({});
    const made = reports.find((one) => one.reason === reason);
    assert.is(made?.statusId !== undefined, reason === "stale", reason);
  }
}

async function block(ofAnn: Page, ofBea: Page, ann: string, bea: string): Promise<void> {
  await follow(ofBea, `/@${ann}`);
  await choose(ofBea, "Block @", ofBea.locator(".relation"));
  await ofBea.getByText(`@${ann} is blocked.`).waitFor();
  await ofBea.locator(".note", { hasText: "is hidden while you block them" }).waitFor();
  await open(ofAnn, `/@${bea}`);
  assert.match(await ofAnn.locator(".note").innerText(), /blocked you|protected/);
  await follow(ofBea, "/settings/blocks");
  await ofBea.getByRole("button", { name: `Unblock @${ann}` }).click();
  await ofBea.getByText("No one.").waitFor();
  await follow(ofBea, `/@${ann}`);
  await ofBea.locator(".words", { hasText: "Good morning" }).waitFor();
}

async function suspend(ofAnn: Page, ofBea: Page, ann: string): Promise<void> {
  await follow(ofAnn, "/");
  await composer(ofAnn).fill("am I there?");
  await operate("suspend", ann);
  await open(ofBea, `/@${ann}`);
  assert.is(await ofBea.locator("h1").innerText(), `@${ann} is suspended`);
  // The suspended user's sessions have ended, and so has her stream, by which the page notices it; with a new one she can read.
  await ofAnn.getByRole("link", { name: "Sign in again" }).click();
  await sendSignIn(ofAnn, ann);
  await ofAnn.getByText("Your account is suspended").waitFor();
  await ofAnn.getByRole("button", { name: "Publish" }).click();
  await ofAnn.getByText("your words are kept here").waitFor();

  await operate("reinstate", ann);
  await publish(ofAnn);
  await open(ofBea, `/@${ann}`);
  assert.is(await ofBea.locator(".words").first().innerText(), "am I there?");
}

/** Runs the operator's tool as `npm run account` does. */
async function operate(command: "suspend" | "reinstate", name: string): Promise<void> {
  const urls = { ACCOUNT_URL: system.accountUrl, SOCIAL_URL: system.socialUrl };
  const { code, err } = await startCli(["account", command, name], urls).ended;
  assert.is(code, 0, err);
}
