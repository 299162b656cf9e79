import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import * as assert from "uvu/assert";
import { type FakeGateway, startFakeGateway } from "../gateway/fake-gateway.ts";
import { joinBrowser, leaveBrowser } from "../support/browser.ts";
import { suite } from "../support/suite.ts";
import { findings, inTab, type Tab } from "../support/tab.ts";

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

/** Registers a test that runs in a new tab. */
function testInTab(title: string, test: (tab: Tab) => Promise<void>, options: BrowserContextOptions = {}): void {
  InBrowser(title, () => inTab(browser, gateway.url, options, test));
}

testInTab(
  "the reference links to the form of each operation, and every page to the first page",
  async ({ page, foreignRequests }) => {
    await page.goto(`${gateway.url}/docs`);
    await page.getByRole("link", { name: "Try Registration" }).click();
    await page.getByLabel("userName", { exact: true }).fill("ann");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("200 OK").waitFor();
    await page.getByRole("link", { name: "Roost" }).click();
    assert.is(page.url(), `${gateway.url}/`);
    assert.equal(foreignRequests, []);
  },
);

testInTab("an operation can be called with the keyboard only", async ({ page, foreignRequests }) => {
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
  assert.equal(foreignRequests, []);
});

testInTab("an error reply is shown with its status and body", async ({ page }) => {
  await page.goto(`${gateway.url}/metadata/SocialTimelines`);
  await page.getByLabel("take").fill("many");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("400 Bad Request").waitFor();
  assert.match((await page.locator("#reply-body").textContent()) ?? "", '"fieldName": "take"');
});

testInTab(
  "an operation can be called without scripts",
  async ({ page }) => {
    await page.goto(`${gateway.url}/metadata/SocialUsers`);
    await page.getByLabel("screenNames").fill("ann,bob");
    await page.getByRole("button", { name: "Send" }).click();
    await page.waitForURL("**/json/reply/SocialUsers");
    assert.equal(gateway.calls.at(-1)?.request.screenNames, ["ann", "bob"]);
  },
  { javaScriptEnabled: false },
);

testInTab("sends the filled fields only, since an empty text clears the field of a profile", async ({ page }) => {
  assert.is(await sentTo(page, "UpdateProfile", "location"), "location=Harbour&protected=false");
});

testInTab(
  "sends no empty text of a profile without scripts either",
  async ({ page }) => assert.not.match(await sentTo(page, "UpdateProfile"), /name=|location=|url=|colou?r=|time_zone=/),
  { javaScriptEnabled: false },
);

/** The body that the form of an operation sends, with `protected` false and the field filled. */
async function sentTo(page: Page, operation: string, field?: string): Promise<string> {
  await page.goto(`${gateway.url}/metadata/${operation}`);
  if (field !== undefined) await page.getByLabel(field, { exact: true }).fill("Harbour");
  await page.getByLabel("protected", { exact: true }).selectOption("false");
  const sent = page.waitForRequest((request) => request.method() === "POST");
  await page.getByRole("button", { name: "Send" }).click();
  return (await sent).postData() ?? "";
}

const operations = ["Registration", "UpdateProfile", "SocialTimelines"];
for (const path of ["/docs", "/metadata", ...operations.map((name) => `/metadata/${name}`)]) {
  testInTab(
    `${path} has no findings of axe, in light and dark, and fits into 360 pixels`,
    async ({ page }) => {
      await page.goto(gateway.url + path);
      assert.is(await page.evaluate("document.documentElement.scrollWidth"), 360);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        // All other rules apply to both schemes alike.
        const rules = colorScheme === "light" ? undefined : ["color-contrast"];
        assert.equal(await findings(page, rules), [], colorScheme);
      }
    },
    { viewport: { width: 360, height: 640 } },
  );
}

if (browser !== undefined) InBrowser.run();
