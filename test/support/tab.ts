import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import * as assert from "uvu/assert";

/** A tab, and all that a reader would not see of it. */
export interface Tab {
  page: Page;
  /** Errors and warnings of the page's own code, and refusals of its policy; failed loads are not among them. */
  complaints: string[];
  /** Requests to other origins, as `type url`. */
  abroad: string[];
}

/** Runs a test in a tab of its own. The page must complain of nothing, and ask other origins for pictures only. */
export async function inTab(
  browser: Browser,
  url: string,
  options: BrowserContextOptions,
  test: (tab: Tab) => Promise<void>,
): Promise<void> {
  const tab = await openTab(browser, url, options);
  try {
    await test(tab);
    expectQuiet(tab);
  } finally {
    await tab.page.context().close();
  }
}

/** Fails when the page has complained of something, or asked another origin for anything but a picture. */
export function expectQuiet({ complaints, abroad }: Tab): void {
  assert.equal(complaints, []);
  assert.equal(
    abroad.filter((request) => !request.startsWith("image ")),
    [],
  );
}

/** Opens a tab, at 1280 × 900 unless told otherwise. */
export async function openTab(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Tab> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, baseURL: url, ...options });
  const page = await context.newPage();
  // A page that lacks something says so before the room's time is over.
  page.setDefaultTimeout(60_000);
  const tab: Tab = { page, complaints: [], abroad: [] };
  page.on("pageerror", (error) => tab.complaints.push(error.message));
  page.on("console", (message) => {
    const text = message.text();
    const isComplaint = message.type() === "error" || message.type() === "warning";
    if (isComplaint && !text.startsWith("Failed to load resource")) tab.complaints.push(text);
  });
  page.on("request", (request) => {
    const target = new URL(request.url());
    const isOwn = target.origin === new URL(url).origin || target.protocol === "data:" || target.protocol === "blob:";
    if (!isOwn) tab.abroad.push(`${request.resourceType()} ${request.url()}`);
  });
  return tab;
}
