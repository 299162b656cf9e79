import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const path = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";

/** Whether there is a browser on this machine; says loudly that tests are left out where there is none. */
export function hasBrowser(): boolean {
  if (existsSync(path)) return true;
  console.warn(`\n!!! SKIPPED: no browser at ${path} (CHROMIUM_PATH); what real pages see is not tested !!!\n`);
  return false;
}

/** A headless Chromium that talks to nobody but the pages under test. */
export function startBrowser(): Promise<Browser> {
  const quiet = ["background-networking", "component-update", "sync", "gpu", "quic"].map((name) => `--disable-${name}`);
  return chromium.launch({ executablePath: path, headless: true, args: ["--no-sandbox", "--no-first-run", ...quiet] });
}
