import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { eventually } from "../support/eventually.ts";
import { composer, follow, hold, holds, open, publish, settled, signInElsewhere } from "./acts.ts";
import { pageSuite } from "./page-suite.ts";

const Changes = await pageSuite("changes at the same time");
const { system } = Changes;

Changes.asPerson("lets no one type into a status that is being sent, also in the next view", async ({ page }, name) => {
  await open(page, "/");
  const reply = await delay(page, /PublishStatus/);
  await composer(page).fill("first words");
  await page.getByRole("button", { name: "Publish" }).click();
  await follow(page, `/@${name}`);
  await page.getByRole("button", { name: "Write" }).click();
  await page.getByRole("button", { name: "Sending…" }).waitFor();
  await holds(composer(page), "first words");
  await composer(page).press("x");
  await composer(page).press("Control+Enter");
  reply();
  await page.getByText("Your status is published.").waitFor();
  await page.locator(".statuses").getByText("first words").waitFor();
  await holds(composer(page), "");
  await page.keyboard.press("Escape");
  assert.equal(await Changes.textsOf(name), ["first words"]);
});

Changes.asPerson("says in any view that a status was not published, and keeps its words", async ({ page }, name) => {
  await open(page, "/");
  const refuse = await refuseLater(page, /PublishStatus/);
  await composer(page).fill("first words");
  await page.getByRole("button", { name: "Publish" }).click();
  await follow(page, "/settings");
  refuse();
  await page.getByRole("alert").getByText("It was not published: your words are kept here.").waitFor();
  await follow(page, `/@${name}`);
  await page.getByRole("button", { name: "Write" }).click();
  await holds(composer(page), "first words");
  await page.unroute(/PublishStatus/);
  await publish(page);
  assert.equal(await Changes.textsOf(name), ["first words"]);
});

Changes.asPerson("says of a status sent before a reload that it may be published already", async ({ page }, name) => {
  await open(page, "/");
  const reply = await delay(page, /PublishStatus/);
  await composer(page).fill("first words");
  await page.getByRole("button", { name: "Publish" }).click();
  await eventually("the status is published", async () => reply.held() === 1);
  await open(page, "/");
  await page.getByText("It is not certain whether it was published.").waitFor();
  await holds(composer(page), "first words");
  reply();
  await publish(page);
  assert.equal(await Changes.textsOf(name), ["first words"]);
});

Changes.asPerson("keeps the draft of a tab when another tab publishes", async ({ page }) => {
  await open(page, "/");
  const second = await page.context().newPage();
  await open(second, "/");
  await composer(page).fill("one");
  await composer(second).fill("two, not sent yet");
  await publish(page);
  await follow(second, "/settings");
  await follow(second, "/");
  await holds(composer(second), "two, not sent yet");
});

Changes.asPerson("shows and publishes no draft to the user who signs in next", async ({ page, ...tab }, name) => {
  await open(page, "/");
  await composer(page).fill("private words");
  const home = await delay(page, /SocialHome/);
  await signInElsewhere({ page, ...tab }, `${name}_next`);
  const stored = () => page.evaluate(`localStorage.getItem("roost.me")?.includes("${name}_next")`);
  await eventually("the page knows the next user", async () => (await stored()) === true);
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByText("Another user is signed in now.").waitFor();
  home();
  await holds(composer(page), "");
  assert.equal(await Changes.textsOf(`${name}_next`), []);
});

Changes.inTab("shows another tab's sign-in although an older reply says that no user is signed in", async (tab) => {
  const { page } = tab;
  const stale = await delay(page, /Authenticate$/);
  // Without a cookie the page does not ask.
  await page.context().addCookies([{ name: "ss-id", value: "ended", url: system.url }]);
  await page.goto("/");
  await eventually("the question was asked", async () => stale.held() === 1);
  await signInElsewhere(tab, "late_answer");
  stale();
  await page.getByRole("button", { name: "Your menu" }).waitFor();
});

Changes.asPerson("says in any view that a form was not sent, and keeps what was typed", async ({ page }, name) => {
  await open(page, "/settings");
  await page.getByLabel("About you").fill("Bakes at six");
  const refuse = await refuseLater(page, /UpdateProfile/);
  await page.getByRole("button", { name: "Save" }).click();
  await follow(page, `/@${name}`);
  refuse();
  await page.getByRole("alert").getByText("That did not work. That was a lot in a short time.").waitFor();
  await page.unroute(/UpdateProfile/);
  await follow(page, "/settings");
  await holds(page.getByLabel("About you"), "Bakes at six");
});

Changes.asPerson("keeps a favourite on the screen while it is stored", async ({ page }) => {
  await open(page, "/@lighthouse");
  const send = await hold(page, /MarkStatus/, (route) => route.continue());
  const favourite = page.getByRole("button", { name: "Favourite" }).first();
  await favourite.click();
  // The follow reloads the page's statuses, which have no mark yet.
  const reloaded = page.waitForResponse(/SocialTimelines/);
  await page.getByRole("button", { name: "Follow", exact: true }).click();
  await reloaded;
  await settled(page);
  assert.is(await favourite.getAttribute("aria-pressed"), "true");
  send();
  await eventually("the mark is stored", async () => {
    const read = await page.request.get("/social/lighthouse/timelines?take=1");
    return ((await read.json()) as { results: { favorited: boolean }[] }).results[0]?.favorited === true;
  });
  assert.is(await favourite.getAttribute("aria-pressed"), "true");
});

Changes.run();

/** Holds the replies of requests to matching addresses back until the returned function is called; later ones are not delayed. */
async function delay(page: Page, operation: RegExp): Promise<(() => void) & { held(): number }> {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let held = 0;
  await page.route(operation, async (route) => {
    const response = await route.fetch();
    held += 1;
    await released;
    await route.fulfill({ response });
  });
  return Object.assign(release, { held: () => held });
}

/** The same for requests, which are then refused, as limits of writes do. */
function refuseLater(page: Page, operation: RegExp): Promise<() => void> {
  return hold(page, operation, (route) => route.fulfill({ status: 429, headers: { "retry-after": "600" }, json: {} }));
}
