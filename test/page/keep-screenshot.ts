import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { isLong } from "../support/long.ts";

/** Keeps a picture of the whole page for people to look at, in the long form; nothing compares it. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  if (!isLong && process.env.SCREENSHOTS === undefined) return;
  const folder = join(import.meta.dirname, "../../out/screenshots");
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
