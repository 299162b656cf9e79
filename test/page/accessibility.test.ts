import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { eventually } from "../support/eventually.ts";
import { isLong } from "../support/long.ts";
import { person } from "../support/people.ts";
import { findings } from "../support/tab.ts";
import { choose, follow, keepScreenshot, open } from "./acts.ts";
import { pageSuite } from "./page-suite.ts";

const Accessibility = await pageSuite("accessibility and layout");
const { system } = Accessibility;

/** In the short form axe looks at the first five statuses of a list: the others are alike, and cost most of its time. */
const unseen = isLong ? undefined : "article:nth-of-type(n + 6)";

/** The views of an anonymous visitor, and those of a user, besides those of one status or user. */
const views = `/ /join /sign-in /search /search?q=the /@MissQuill /@MissQuill/nothing /@lighthouse/followers
  /@lighthouse/status/1 /@nan_wren /@unknown-user`.split(/\s+/);
const ownViews = `/ /everyone /mentions /favourites /search?q=the /@lighthouse /@lighthouse/followers /requests
  /settings /settings/account /settings/blocks /settings/mutes`.split(/\s+/);

Accessibility.inTab("has no findings of axe in anonymous views, and fits into 1280 and 360 px", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const { id: userId, name: suspended } = await person(system, "suspended");
  await system.clients.moderation.suspend({ userId });
  const { results } = await system.clients.social.socialTimelines({ screenName: "lighthouse", take: 1n });
  await open(page, "/");
  for (const path of [...views, `/@${suspended}`, `/@lighthouse/status/${results[0]?.id}`]) {
    await follow(page, path);
    await look(page, path);
  }
  await follow(page, "/join");
  await page.getByRole("button", { name: "Register" }).click();
  await page.waitForSelector("[aria-invalid]");
  await look(page, "join-errors");
});

Accessibility.asPerson("has no findings of axe in views of a signed-in user", async ({ page }, name) => {
  const post = async (path: string, data: object = {}) => (await page.request.post(path, { data })).json();
  const picture = { text: "one two", mediaUrls: [`${system.url}/pictures/red-welly.svg`] };
  const { results } = (await post("/timelines/publish", picture)) as {
    results: [{ id: number; user: { id: string } }];
  };
  const [{ id, user }] = results;
  await post("/social/lighthouse/follow");
  await post("/social/lighthouse/mute");
  await post("/social/TownClock/block");
  await post("/profile", { protected: true });
  const asking = await person(system, "asking");
  await system.clients.graph.follow({ followerId: asking.id, userId: BigInt(user.id) });
  await open(page, "/");
  for (const path of [...ownViews, `/@${name}`, `/@${name}/status/${id}`, `/@${name}/following`]) {
    await follow(page, path);
    await look(page, `own-${path}`);
  }
  await lookAtQuestions(page);
  await lookAtNews(page, name);
});

async function lookAtQuestions(page: Page): Promise<void> {
  await follow(page, "/@lighthouse");
  await page.getByRole("button", { name: "Reply" }).first().click();
  await page.getByRole("dialog").waitFor();
  await look(page, "own-reply");
  await page.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Your menu" }).click();
  await look(page, "own-menu");
  await page.keyboard.press("Escape");
  await choose(page, "Report…", page.locator(".relation"));
  await page.getByRole("dialog").waitFor();
  await look(page, "own-report");
  await page.getByRole("button", { name: "Cancel" }).click();
  await follow(page, "/settings/account");
  await page.getByRole("button", { name: "Delete the account…" }).click();
  await page.getByRole("dialog").waitFor();
  await look(page, "own-delete");
  await page.getByRole("button", { name: "Cancel" }).click();
}

/** Offline, after an action that failed, and during a deletion that can be undone. */
async function lookAtNews(page: Page, name: string): Promise<void> {
  await follow(page, `/@${name}`);
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Favourite" }).click();
  await page.getByRole("status").getByText("That did not work. You are offline.").waitFor();
  await choose(page, "Delete", page.getByRole("article"));
  await page.getByRole("button", { name: "Undo" }).waitFor();
  await look(page, "own-news");
  await page.getByRole("button", { name: "Undo" }).click();
  // The button with the focus is removed by the next rendering.
  await eventually("the article has the focus", () => page.evaluate("document.activeElement.matches('article')"));
  await page.context().setOffline(false);
}

Accessibility.inTab("sets direction and language of texts", async ({ page }) => {
  await page.goto("/@MissQuill");
  await page.waitForSelector(".words");
  assert.is(await page.locator('.words:not([dir="auto"])').count(), 0);
  assert.is(await page.locator(".words").first().getAttribute("lang"), "en-gb");
});

Accessibility.run();

async function look(page: Page, name: string): Promise<void> {
  for (const [colorScheme, width] of [
    ["light", 1280],
    ["dark", 360],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    // The rules about elements apply to both schemes alike.
    const rules = colorScheme === "light" ? undefined : ["color-contrast", "target-size"];
    assert.equal(await findings(page, rules, unseen), [], `${name} in ${colorScheme}`);
    assert.is(await page.evaluate("document.documentElement.scrollWidth"), width);
    await keepScreenshot(page, `${name.replaceAll(/\W+/g, "-")}-${colorScheme}-${width}`);
  }
}
