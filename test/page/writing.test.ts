import * as assert from "uvu/assert";
import { eventually } from "../support/eventually.ts";
import { choose, composer, follow, hasFocus, holds, open, publish, settled, signInElsewhere } from "./acts.ts";
import { pageSuite } from "./page-suite.ts";

const Writing = await pageSuite("writing");
const { system } = Writing;

Writing.asPerson("counts characters like the service, and publishes the longest status", async ({ page }, name) => {
  await open(page, "/");
  await composer(page).fill("👩🏽‍🍳 塩 https://example.com/a/very/long/path");
  // An emoji counts 2, a space 1, the letter 2, a space 1, the link 23.
  await page.getByText("251 left", { exact: true }).waitFor();
  await composer(page).fill("x".repeat(281));
  await page.getByText("-1 left", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByText("That is 1 too many.").waitFor();
  await publish(page, "x".repeat(280));
  await holds(composer(page), "");
  assert.equal(await Writing.textsOf(name), ["x".repeat(280)]);
});

Writing.asPerson("publishes a picture by its address, with the keyboard", async ({ page }, name) => {
  await open(page, "/");
  await composer(page).fill("look");
  await page.locator(".pictures summary").click();
  await page.getByLabel("Address of picture 1").fill(`${system.url}/pictures/red-welly.svg`);
  await page.getByLabel("Address of picture 2").waitFor();
  await composer(page).press("Control+Enter");
  await page.getByText("Your status is published.").waitFor();
  await follow(page, `/@${name}`);
  await page.waitForSelector('.picture[data-state="shown"]');
});

Writing.asPerson("keeps the draft while it is offline, and publishes it once", async ({ page }, name) => {
  await open(page, "/");
  await composer(page).fill("first words");
  let calls = 0;
  const ids = new Set<string>();
  await page.route("**/PublishStatus", async (route) => {
    calls += 1;
    ids.add((route.request().postDataJSON() as { requestId: string }).requestId);
    // The write succeeds, but its reply is lost.
    if (calls === 1) await route.fetch();
    await route.abort();
  });
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByText("your words are kept here").waitFor();
  await holds(composer(page), "first words");
  await hasFocus(page, "textarea");
  await page.reload();
  await settled(page);
  await holds(composer(page), "first words");
  await page.unroute("**/PublishStatus");
  await publish(page);
  assert.equal([calls, ids.size], [2, 1]);
  assert.equal(await Writing.textsOf(name), ["first words"]);
});

Writing.asPerson("shows that it is offline, and undoes marks that fail", async ({ page }) => {
  await open(page, "/@lighthouse");
  await page.context().setOffline(true);
  await page.getByText("You are offline.").waitFor();
  const favourite = page.getByRole("button", { name: "Favourite" }).first();
  await favourite.click();
  await page.getByRole("status").getByText("You are offline. Try again").waitFor();
  assert.is(await favourite.getAttribute("aria-pressed"), "false");
  await page.context().setOffline(false);
  const answered = page.waitForResponse("**/MarkStatus");
  await favourite.click();
  assert.is(await favourite.getAttribute("aria-pressed"), "true");
  await answered;
  await page.reload();
  await settled(page);
  assert.is(await favourite.getAttribute("aria-pressed"), "true");
});

Writing.inTab("loads a view that failed again when it is online", async ({ page }) => {
  await open(page, "/join");
  await page.context().setOffline(true);
  await page.getByText("You are offline.").waitFor();
  await follow(page, "/@lighthouse");
  await page.getByRole("heading", { name: "That did not work" }).waitFor();
  await page.context().setOffline(false);
  await page.getByRole("heading", { name: "Kittiwick Lighthouse" }).waitFor();
});

Writing.asPerson("applies the last of several quick clicks", async ({ page }, name) => {
  await open(page, "/@lighthouse");
  const repost = page.getByRole("button", { name: "Repost" }).first();
  const answers = { count: 0 };
  page.on("response", (response) => (answers.count += response.url().endsWith("/MarkStatus") ? 1 : 0));
  for (let clicks = 0; clicks < 3; clicks += 1) await repost.click();
  assert.is(await repost.getAttribute("aria-pressed"), "true");
  await eventually("all three are answered", async () => answers.count === 3);
  assert.is((await Writing.textsOf(name)).length, 1);
  const undone = page.waitForResponse("**/MarkStatus");
  await repost.click();
  await undone;
  assert.equal(await Writing.textsOf(name), []);
});

Writing.asPerson("keeps a mark under way when the reply to another one arrives", async ({ page }) => {
  await open(page, "/@MissQuill");
  const [favourite, repost] = [
    page.getByRole("button", { name: "Favourite" }).first(),
    page.getByRole("button", { name: "Repost" }).first(),
  ];
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  let calls = 0;
  await page.route("**/MarkStatus", async (route) => {
    calls += 1;
    if (calls === 2) await held;
    await route.continue();
  });
  const first = page.waitForResponse("**/MarkStatus");
  await favourite.click();
  await repost.click();
  await first;
  assert.is(await repost.getAttribute("aria-pressed"), "true");
  const second = page.waitForResponse("**/MarkStatus");
  release();
  await second;
  await page.evaluate("fetch('/livez')");
  for (const mark of [favourite, repost]) assert.is(await mark.getAttribute("aria-pressed"), "true");
});

Writing.asPerson("answers a status in a dialog in any view, with the name of its author", async ({ page }, name) => {
  await open(page, "/@lighthouse");
  const button = page.getByRole("button", { name: "Reply" }).first();
  await button.click();
  await hasFocus(page, "dialog textarea");
  await page.keyboard.press("End");
  await page.keyboard.type("thank you");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await hasFocus(page, "[aria-label=Reply]");
  await button.click();
  await holds(page.locator("dialog textarea"), "@lighthouse thank you");
  await page.keyboard.press("Control+Enter");
  await page.locator(".notices").getByText("Your reply is published.").waitFor();
  assert.is(await page.getByRole("dialog").count(), 0);
  await follow(page, `/@${name}`);
  assert.is(await page.locator(".reply").innerText(), "In reply to @lighthouse");
  assert.equal(await Writing.textsOf(name), ["@lighthouse thank you"]);
});

Writing.asPerson("undoes a deletion, and sends a delayed one when the page is closed", async ({ page }, name) => {
  await open(page, "/");
  await composer(page).fill("to be gone");
  await composer(page).press("Control+Enter");
  await page.getByText("Your status is published.").waitFor();
  await follow(page, `/@${name}`);
  await choose(page, "Delete", page.getByRole("article"));
  await page.getByText("will be deleted in 10 seconds").waitFor();
  await hasFocus(page, "button:text('Undo')");
  await page.keyboard.press("Enter");
  await page.getByRole("article").waitFor();
  assert.equal(await Writing.textsOf(name), ["to be gone"]);
  await choose(page, "Delete", page.getByRole("article"));
  await page.getByText("will be deleted in 10 seconds").waitFor();
  await page.goto("/docs");
  await eventually("the status is gone", async () => (await Writing.textsOf(name)).length === 0);
});

Writing.asPerson("does not delete a status when another user signed in before", async ({ page, ...tab }, name) => {
  await open(page, "/");
  await page.evaluate(`(() => {
    const { setTimeout } = globalThis;
    globalThis.setTimeout = (work, ms) => (ms === 10_000 ? ((globalThis.afterTenSeconds = work), 1) : setTimeout(work, ms));
  })()`);
  await publish(page, "to be gone");
  await follow(page, `/@${name}`);
  await choose(page, "Delete", page.getByRole("article"));
  await page.getByText("will be deleted in 10 seconds").waitFor();
  await signInElsewhere({ page, ...tab }, `${name}_friend`);
  await page.getByRole("button", { name: "Follow", exact: true }).waitFor();
  await page.evaluate("afterTenSeconds()");
  await page.getByText("The status was not deleted: another user is signed in.").waitFor();
  assert.equal(await Writing.textsOf(name), ["to be gone"]);
});

Writing.run();
