import type { Browser, Page } from "playwright-core";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { findings } from "../support/axe.ts";
import { joinBrowser, leaveBrowser } from "../support/browser.ts";
import type { TestSystem } from "../support/system.ts";
import { inTab } from "../support/tab.ts";
import { asPerson, newName } from "./as-person.ts";
import { keepScreenshot } from "./keep-screenshot.ts";
import { town } from "./town.ts";

const Look = suite("page: look");
const browser = (await joinBrowser()) as Browser;
let system: TestSystem;
town.join();

Look.before(async () => {
  system = await town.get();
});
Look.after(async () => {
  await leaveBrowser();
  await town.leave();
});

/** What a stranger can see. */
const views = {
  home: "/",
  join: "/join",
  "sign-in": "/sign-in",
  person: "/@MissQuill",
  people: "/?find=lighthouse,mizuho_utsuwa,nan_wren,tamsin-bakes,unknown-user",
  protected: "/@nan_wren",
  unknown: "/@unknown-user",
  absent: "/@MissQuill/nothing",
};

const name = newName("looker");

const ownViews = (id: number) => ({
  home: "/",
  person: `/@${name}`,
  status: `/@${name}/status/${id}?reply`,
  followers: `/@lighthouse/followers`,
  requests: "/requests",
  settings: "/settings",
  account: "/settings/account",
  blocks: "/settings/blocks",
});

Look("lets axe find nothing on what a stranger sees, in light and dark, and fits into 1280 and 360 px", () =>
  inTab(browser, system.url, { reducedMotion: "reduce" }, async ({ page }) => {
    for (const [view, path] of Object.entries(views)) {
      await page.goto(path);
      await page.waitForSelector("main:not([aria-busy]) h1");
      await look(page, view);
    }
  }),
);

Look("lets axe find nothing on what a person sees who is signed in", () =>
  asPerson(browser, system.url, name, async ({ page }) => {
    const data = { text: "one two", mediaUrls: [`${system.url}/pictures/red-welly.svg`] };
    const published = await page.request.post("/timelines/publish", { data });
    const [{ id }] = ((await published.json()) as { results: [{ id: number }] }).results;
    for (const [view, path] of Object.entries(ownViews(id))) {
      await page.goto(path);
      await page.waitForSelector("main:not([aria-busy]) h1");
      await look(page, `own-${view}`);
    }
    await page.goto("/@lighthouse");
    await page.getByText("More", { exact: true }).click();
    await page.getByRole("button", { name: "Report…" }).click();
    await page.getByRole("dialog").waitFor();
    await look(page, "own-report");
  }),
);

Look("gives texts their own direction", () =>
  inTab(browser, system.url, {}, async ({ page }) => {
    await page.goto("/@MissQuill");
    await page.waitForSelector(".words");
    assert.is(await page.locator('.words:not([dir="auto"])').count(), 0);
    assert.is(await page.locator(".words").first().getAttribute("lang"), "en-gb");
  }),
);

if (browser !== undefined) Look.run();

async function look(page: Page, name: string): Promise<void> {
  for (const [colorScheme, width] of [
    ["light", 1280],
    ["dark", 360],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    // What is true of the elements is so in both.
    const rules = colorScheme === "light" ? undefined : ["color-contrast", "target-size"];
    assert.equal(await findings(page, rules), [], `${name} in ${colorScheme}`);
    assert.is(await page.evaluate("document.documentElement.scrollWidth"), width);
    await keepScreenshot(page, `${name}-${colorScheme}-${width}`);
  }
}
