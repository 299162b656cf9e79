import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import * as assert from "uvu/assert";

/** A tab, and what it does that is not visible. */
export interface Tab {
  page: Page;
  /** Errors and warnings of the page's own code, and violations of its policy, without failed loads. */
  complaints: string[];
  /** Requests to other origins, as `type url`. */
  foreignRequests: string[];
}

/** Runs a test in a tab of its own. The page must log no complaints, and may request only pictures from other origins. */
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

/**
 * Runs a test in a tab that other tests of this process have used, with everything that they stored removed. Its scripts are
 * loaded and compiled, so a view costs half as much as in a new tab. The tab is closed after a test that fails.
 */
export async function inSharedTab(browser: Browser, url: string, test: (tab: Tab) => Promise<void>): Promise<void> {
  const page = sharedPages.pop() ?? (await openTab(browser, url)).page;
  try {
    const tab = listenTo(page, url);
    await test(tab);
    expectQuiet(tab);
    await empty(page, url);
  } catch (error) {
    await page.context().close();
    throw error;
  }
  sharedPages.push(page);
}

/** Tabs that no test uses now. */
const sharedPages: Page[] = [];

async function empty(page: Page, url: string): Promise<void> {
  const context = page.context();
  const others = context.pages().filter((other) => other !== page);
  await Promise.all(others.map((other) => other.close()));
  page.removeAllListeners();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await context.setOffline(false);
  // A page of the same origin without scripts that could store anything.
  await page.goto(`${url}/livez`);
  await page.evaluate("localStorage.clear()");
  await context.clearCookies();
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  await page.setViewportSize(viewport);
}

/** Fails when the page has logged a complaint, or requested anything but a picture from another origin. */
export function expectQuiet({ complaints, foreignRequests }: Tab): void {
  assert.equal(complaints, []);
  const wrong = foreignRequests.filter((request) => !request.startsWith("image "));
  assert.equal(wrong, []);
}

const viewport = { width: 1280, height: 900 };

/** Opens a tab, by default with 1280 × 900 pixels. */
export async function openTab(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Tab> {
  const context = await browser.newContext({ viewport, baseURL: url, ...options });
  const page = await context.newPage();
  // Shorter than the room's timeout, so that a test prints what it waits for.
  page.setDefaultTimeout(60_000);
  return listenTo(page, url);
}

/** A tab with empty records for this page; `url` is its own origin. */
function listenTo(page: Page, url: string): Tab {
  const tab: Tab = { page, complaints: [], foreignRequests: [] };
  page.on("pageerror", (error) => tab.complaints.push(error.message));
  page.on("console", (message) => {
    const text = message.text();
    const isComplaint = message.type() === "error" || message.type() === "warning";
    if (isComplaint && !text.startsWith("Failed to load resource")) tab.complaints.push(text);
  });
  page.on("request", (request) => {
    const target = new URL(request.url());
    const isOwn = target.origin === new URL(url).origin || target.protocol === "data:" || target.protocol === "blob:";
    if (!isOwn) tab.foreignRequests.push(`${request.resourceType()} ${request.url()}`);
  });
  return tab;
}

/**
 * The faults that axe finds on the page as it is: WCAG 2.2 AA and its own good practice, as `rule: element`.
 * @param rules only these
 * @param without no element that this selector matches
 */
export async function findings(page: Page, rules?: string[], without?: string): Promise<string[]> {
  script ??= readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(script);
  return page.evaluate(run(rules, without));
}

let script: string | undefined;

// As text, since the tests are not compiled for a browser.
const run = (
  runOnly?: string[],
  without?: string,
) => `axe.run({ exclude: ${JSON.stringify(without === undefined ? [] : [[without]])} }, { resultTypes: ["violations"], ...${JSON.stringify({ runOnly })} }).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html.slice(0, 200))))`;
