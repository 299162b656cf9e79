import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { isLong } from "../support/long.ts";

/** Stores a picture of the whole page in the long form, for people; no test compares it. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  if (!isLong && process.env.SCREENSHOTS === undefined) return;
  const folder = join(import.meta.dirname, "../../out/screenshots");
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
