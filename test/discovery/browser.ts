import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";

const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);

/** A headless browser, or undefined, said loudly, where there is none. */
export async function openBrowser(): Promise<Browser | undefined> {
  if (executablePath === undefined) {
    console.warn("\n!!! SKIPPED: there is no Chromium here; what pages do in a browser is not tested !!!\n");
    return undefined;
  }
  const quiet = ["--disable-quic", "--no-first-run", "--disable-background-networking"];
  const still = ["--disable-component-update", "--disable-sync", "--disable-gpu"];
  return chromium.launch({ executablePath, args: ["--no-sandbox", ...quiet, ...still] });
}

/** What a page did, from when it was opened. */
export interface WatchedPage {
  page: Page;
  /** The origins that it asked for anything, `data:` and `blob:` apart. */
  origins: Set<string>;
  /** What it complained about: errors, and what its policy forbade. */
  complaints: string[];
}

/** Opens an empty page and notes what it does. */
export async function watchPage(browser: Browser): Promise<WatchedPage> {
  const page = await browser.newPage();
  // A page that lacks something says so before the room's time is over.
  page.setDefaultTimeout(10_000);
  const watched: WatchedPage = { page, origins: new Set(), complaints: [] };
  page.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== "data:" && protocol !== "blob:") watched.origins.add(origin);
  });
  page.on("pageerror", (error) => watched.complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") watched.complaints.push(message.text());
  });
  return watched;
}
