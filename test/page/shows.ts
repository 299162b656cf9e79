import type { Locator, Page } from "playwright-core";
import { eventually } from "../support/eventually.ts";

// Both wait, since on a busy machine focus and values are set a moment after the view is shown.

/** Waits until the element of a selector has the focus. */
export async function hasFocus(page: Page, selector: string): Promise<void> {
  await page.locator(`${selector}:focus`).waitFor({ state: "attached" });
}

/** Waits until a field holds a text. */
export async function holds(field: Locator, text: string): Promise<void> {
  let held = "";
  const check = async () => (held = await field.inputValue()) === text;
  await eventually("the field's text", check).catch((error: Error) => {
    throw new Error(`${error.message}: it is "${held}", not "${text}"`);
  });
}
