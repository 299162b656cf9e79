import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import * as assert from "uvu/assert";

/** A tab, and all that a reader would not see of it. */
export interface Tab {
  page: Page;
  /** Errors of the page's own code, and refusals of its policy; failed loads are not among them. */
  errors: string[];
  /** Requests to other origins, as `type url`. */
  abroad: string[];
}

/** The browser of this machine, or undefined, said loudly, where there is none. */
export async function startBrowser(): Promise<Browser | undefined> {
  const executablePath = places.find((place) => existsSync(place));
  if (executablePath !== undefined) return chromium.launch({ executablePath, args: quiet });
  console.warn("\n!!! SKIPPED: there is no Chromium here; what the page does in a browser is not tested !!!\n");
  return undefined;
}

/** Runs a test in a tab of its own. It must log no error, and ask other origins for pictures only. */
export async function inTab(
  browser: Browser,
  url: string,
  options: BrowserContextOptions,
  test: (tab: Tab) => Promise<void>,
): Promise<void> {
  const tab = await openTab(browser, url, options);
  try {
    await test(tab);
    assert.equal(tab.errors, []);
    const strange = tab.abroad.filter((request) => !request.startsWith("image "));
    assert.equal(strange, []);
  } finally {
    await tab.page.context().close();
  }
}

/** Keeps a picture of the whole page for people to look at; nothing compares it. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  const folder = join(import.meta.dirname, "../../out/screenshots");
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

/** Opens a tab, at 1280 × 900 unless told otherwise. Pictures from elsewhere never load. */
async function openTab(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Tab> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, baseURL: url, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(5_000);
  const tab: Tab = { page, errors: [], abroad: [] };
  page.on("pageerror", (error) => tab.errors.push(error.message));
  page.on("console", (message) => {
    const text = message.text();
    if (message.type() === "error" && !text.startsWith("Failed to load resource")) tab.errors.push(text);
  });
  await context.route(
    (target) => target.origin !== new URL(url).origin && target.protocol !== "data:",
    (route) => {
      tab.abroad.push(`${route.request().resourceType()} ${route.request().url()}`);
      return route.abort();
    },
  );
  return tab;
}

const places = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

const quiet = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
