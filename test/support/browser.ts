import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { share } from "./shared-services.ts";

const browser = share(launch, async (launched) => launched?.close());

/** The browser of this room, shared by all of its files; undefined, with a message, where there is none. */
export function joinBrowser(): Promise<Browser | undefined> {
  browser.join();
  return browser.get();
}

export const leaveBrowser = browser.leave;

/** A headless browser of this machine that makes no requests of its own. */
async function launch(): Promise<Browser | undefined> {
  const executablePath = places.find((place) => existsSync(place));
  if (executablePath !== undefined) return chromium.launch({ executablePath, args: quiet });
  console.warn("\n!!! SKIPPED: there is no Chromium here (CHROMIUM_PATH); the gateway's pages are not tested !!!\n");
  return undefined;
}

const places = [
  process.env.CHROMIUM_PATH ?? "",
  // The same engine without a browser's windows needs a quarter of the processor time for each page.
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

const quiet = [
  // No request of a page to another host leaves the machine.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE *.localhost",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
