import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { person } from "../support/people.ts";
import { choose, follow, hasFocus, open, settled, signInElsewhere } from "./acts.ts";
import { pageSuite } from "./page-suite.ts";

const Relations = await pageSuite("relations");
const { system } = Relations;

Relations.asPerson("mutes a user, who is hidden from the latest statuses, and unmutes again", async ({ page }) => {
  const handle = await hide(page, "Mute", "is muted.");
  await follow(page, "/everyone");
  assert.not.ok((await authors(page)).includes(handle));
  await choose(page, "Settings");
  await page.getByRole("link", { name: "Muted" }).click();
  await page.getByRole("button", { name: `Unmute ${handle}` }).click();
  await page.getByText("No one.").waitFor();
  // The button with the focus has been removed.
  await hasFocus(page, "h1");
  await follow(page, "/everyone");
  assert.ok((await authors(page)).includes(handle));
});

Relations.asPerson("follows and unfollows", async ({ page }, name) => {
  await open(page, "/@lighthouse");
  await page.getByRole("button", { name: "Follow", exact: true }).click();
  await page.getByText("You follow @lighthouse.").waitFor();
  assert.equal(await friendsOf(name), ["lighthouse"]);
  // It says what has become of it, and what it does only when it is approached again.
  await page.getByRole("button", { name: "Following" }).waitFor();
  await page.mouse.move(0, 0);
  await page.locator("h1").focus();
  await page.getByRole("button", { name: "Following" }).hover();
  await page.getByRole("button", { name: "Unfollow" }).click();
  await page.getByText("You do not follow @lighthouse any more.").waitFor();
  await page.getByRole("button", { name: "Follow", exact: true }).waitFor();
  assert.equal(await friendsOf(name), []);
});

Relations.asPerson("shows long lists in pages, and rejects a request", async ({ page }, name) => {
  const { graph } = system.clients;
  const [mine] = await Relations.resultsOf(`/social/${name}`);
  const userId = BigInt(mine?.id as string);
  const [near, far, asking] = [await three("near"), await three("far"), await three("asking")];
  const does = async (act: string, data = {}) => assert.is((await page.request.post(act, { data })).status(), 200, act);
  for (const { id, name } of near) {
    await graph.follow({ followerId: id, userId });
    await graph.follow({ followerId: userId, userId: id });
    await does(`/social/${name}/mute`);
  }
  for (const { name } of far) await does(`/social/${name}/block`);
  await does("/profile", { protected: true });
  for (const { id } of asking) await graph.follow({ followerId: id, userId });
  await open(page, "/");
  await page.evaluate(twoOnPage);
  const lists = {
    [`/@${name}/followers`]: near,
    [`/@${name}/following`]: near,
    "/settings/mutes": near,
    "/settings/blocks": far,
    "/requests": asking,
  };
  for (const [path, people] of Object.entries(lists)) {
    await follow(page, path);
    const first = await handles(page);
    await page.getByRole("link", { name: "More" }).click();
    await settled(page);
    const second = await handles(page);
    assert.equal([...first, ...second].toSorted(), people.map((each) => `@${each.name}`).toSorted(), path);
    assert.equal([first.length, await page.getByRole("link", { name: "More" }).count()], [2, 0]);
    await page.getByRole("link", { name: "First page" }).click();
    await settled(page);
    assert.equal(await handles(page), first);
  }
  const [turnedDown] = await handles(page);
  await page.getByRole("button", { name: `Turn down ${turnedDown}` }).click();
  await page.getByText(`${turnedDown} is turned down.`).waitFor();
  await page.getByRole("link", { name: "More" }).waitFor({ state: "detached" });
  const left = await handles(page);
  assert.equal([left.length, left.includes(turnedDown ?? "")], [2, false]);
});

Relations.asPerson("does not apply the blocks of an earlier user of the same tab", async ({ page, ...tab }, name) => {
  const handle = await hide(page, "Block", "is blocked.");
  await page.getByRole("button", { name: "Unblock" }).waitFor();
  await signInElsewhere({ page, ...tab }, `${name}_friend`);
  await page.getByRole("button", { name: "Follow", exact: true }).waitFor();
  await follow(page, "/everyone");
  assert.ok((await authors(page)).includes(handle));
});

Relations.asPerson("undoes a mute in the menu of a status", async ({ page }) => {
  const handle = await hide(page, "Mute", "is muted.");
  const status = page.getByRole("article").first();
  await choose(page, `Unmute ${handle}`, status);
  await status.getByText(`${handle} is not muted any more.`).waitFor();
});

Relations.run();

/** Makes the page request two users at a time, so that three are two pages. A route would slow down all later requests. */
const twoOnPage = `(() => {
  const { fetch } = globalThis;
  globalThis.fetch = (path, init) => fetch(path, { ...init, body: init?.body?.replace('"take":50', '"take":2') });
})()`;

async function three(name: string) {
  return [await person(system, name), await person(system, name), await person(system, name)];
}

/** Mutes or blocks an author of a status on the first page. @returns the author's name with @ */
async function hide(page: Page, act: "Mute" | "Block", done: string): Promise<string> {
  await open(page, "/everyone");
  const [handle = ""] = await authors(page);
  await follow(page, `/${handle}`);
  await choose(page, `${act} ${handle}`, page.locator(".relation"));
  await page.getByText(`${handle} ${done}`).waitFor();
  return handle;
}

/** The authors of the statuses on the first page. */
function authors(page: Page): Promise<string[]> {
  return page.locator("main .author .soft").allInnerTexts();
}

/** The users of the view, in its order. */
function handles(page: Page): Promise<string[]> {
  return page.locator("main .handle > span:first-child").allInnerTexts();
}

async function friendsOf(name: string): Promise<unknown[]> {
  return (await Relations.resultsOf(`/social/${name}/friends`)).map((friend) => friend.screen_name);
}
