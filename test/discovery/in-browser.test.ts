import type { Browser, BrowserContextOptions } from "playwright-core";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type FakeGateway, startFakeGateway } from "../gateway/fake-gateway.ts";
import { joinBrowser, leaveBrowser } from "../support/browser.ts";
import { inTab, type Tab } from "../support/tab.ts";

const InBrowser = suite("discovery: in a browser");

const browser = (await joinBrowser()) as Browser;
let gateway: FakeGateway;

InBrowser.before(async () => {
  gateway = await startFakeGateway();
});
InBrowser.after(async () => {
  await leaveBrowser();
  await gateway.stop();
});

/** A test in a tab of its own. */
function shown(title: string, test: (tab: Tab) => Promise<void>, options: BrowserContextOptions = {}): void {
  InBrowser(title, () => inTab(browser, gateway.url, options, test));
}

shown("the reference shows every operation and asks no other origin", async ({ page, abroad }) => {
  await page.goto(`${gateway.url}/docs`);
  for (const name of ["Registration", "SocialUsers", "SocialTimelines"]) {
    await page.getByText(name, { exact: true }).first().waitFor({ state: "attached" });
  }
  const answered = page.waitForResponse(`${gateway.url}/register`);
  await page
    .getByRole("button", { name: /test request/i })
    .first()
    .click();
  await page.getByRole("button", { name: /^send/i }).first().click();
  assert.is((await answered).status(), 200);
  assert.equal(abroad, []);
});

shown("a page that asked another origin would be stopped and noticed", async ({ page, complaints }) => {
  for (const path of ["/docs", "/metadata"]) {
    await page.goto(gateway.url + path);
    await page.evaluate("fetch('http://127.0.0.2:9/').catch(() => {})");
    assert.match(complaints.splice(0).join(), "Content Security Policy");
  }
});

shown("an operation is tried with the keyboard alone", async ({ page, abroad }) => {
  await page.goto(`${gateway.url}/metadata`);
  await page.getByRole("link", { name: "SocialTimelines" }).focus();
  await page.keyboard.press("Enter");
  await page.getByLabel("screenName").focus();
  await page.keyboard.type("ann");
  await page.keyboard.press("Tab");
  await page.keyboard.type("7");
  await page.keyboard.press("Enter");
  await page.getByText("200 OK").waitFor();
  assert.is(await page.locator("#reply-body").textContent(), '{\n  "results": []\n}');
  const { screenName, take } = gateway.calls.at(-1)?.request ?? {};
  assert.equal([screenName, take], ["ann", 7n]);
  assert.equal(abroad, []);
});

shown("an error is shown as it came", async ({ page }) => {
  await page.goto(`${gateway.url}/metadata/SocialTimelines`);
  await page.getByLabel("take").fill("many");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("400 Bad Request").waitFor();
  assert.match((await page.locator("#reply-body").textContent()) ?? "", '"fieldName": "take"');
});

shown(
  "an operation can be tried without scripts",
  async ({ page }) => {
    await page.goto(`${gateway.url}/metadata/SocialUsers`);
    await page.getByLabel("screenNames").fill("ann,bob");
    await page.getByRole("button", { name: "Send" }).click();
    await page.waitForURL("**/json/reply/SocialUsers");
    assert.equal(gateway.calls.at(-1)?.request.screenNames, ["ann", "bob"]);
  },
  { javaScriptEnabled: false },
);

shown(
  "every input has a label, and a page fits into 360 pixels",
  async ({ page }) => {
    for (const path of ["/metadata", "/metadata/Registration", "/metadata/SocialTimelines"]) {
      await page.goto(gateway.url + path);
      assert.is(await page.evaluate("document.documentElement.scrollWidth"), 360, path);
      assert.is(
        await page.evaluate("[...document.querySelectorAll('input')].filter((i) => !i.labels.length).length"),
        0,
      );
      assert.is(await page.evaluate("document.documentElement.lang"), "en");
    }
  },
  { viewport: { width: 360, height: 640 } },
);

for (const colorScheme of ["light", "dark"] as const) {
  shown(
    `text has a contrast of at least 4.5 on a ${colorScheme} page`,
    async ({ page }) => {
      await page.goto(`${gateway.url}/metadata`);
      const colours = (await page.evaluate(
        "['ink', 'link', 'paper', 'soft'].map((n) => getComputedStyle(document.documentElement).getPropertyValue('--' + n))",
      )) as string[];
      const [ink, link, paper, soft] = colours.map(luminance) as [number, number, number, number];
      for (const pair of [
        [ink, paper],
        [ink, soft],
        [link, paper],
      ] as const) {
        assert.ok((Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05) >= 4.5, `${colours} ${pair}`);
      }
    },
    { colorScheme },
  );
}

if (browser !== undefined) InBrowser.run();

/** The relative luminance of `#rrggbb` (WCAG 2.2). */
function luminance(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.trim().slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
