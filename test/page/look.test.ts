import type { Browser, BrowserContextOptions } from "playwright-core";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { joinBrowser, leaveBrowser } from "../support/browser.ts";
import type { TestSystem } from "../support/system.ts";
import { inTab } from "../support/tab.ts";
import { faintTexts } from "./contrast.ts";
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

const views = {
  account: "/",
  timeline: "/?user=MissQuill",
  people: "/?find=lighthouse,mizuho_utsuwa,nan_wren,tamsin-bakes,unknown-user",
  protected: "/?user=nan_wren",
  unknown: "/?user=unknown-user",
};

for (const [name, path] of Object.entries(views)) {
  for (const colorScheme of ["light", "dark"] as const) {
    Look(`keeps ${name} readable in ${colorScheme}, at 1280 and at 360 px without sideways scrolling`, () => {
      const options: BrowserContextOptions = { colorScheme };
      return inTab(browser, system.url, options, async ({ page }) => {
        await page.goto(path);
        await page.waitForSelector("main:not([aria-busy]) h1");
        for (const width of [1280, 360]) {
          await page.setViewportSize({ width, height: 800 });
          assert.equal(await faintTexts(page), []);
          assert.is(await page.evaluate("document.documentElement.scrollWidth"), width);
          await keepScreenshot(page, `${name}-${colorScheme}-${width}`);
        }
      });
    });
  }
}

Look("gives texts their own direction", () =>
  inTab(browser, system.url, {}, async ({ page }) => {
    await page.goto("/?user=MissQuill");
    await page.waitForSelector(".words");
    assert.is(await page.locator('.words:not([dir="auto"])').count(), 0);
    assert.is(await page.locator(".words").first().getAttribute("lang"), "en-gb");
  }),
);

if (browser !== undefined) Look.run();
