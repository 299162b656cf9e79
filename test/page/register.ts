import type { Locator, Page } from "playwright-core";
import * as assert from "uvu/assert";
import { eventually } from "../support/eventually.ts";
import type { Tab } from "../support/tab.ts";

let people = 0;

/** A user name that no other test of this run has. */
export function newName(word: string): string {
  people += 1;
  return `${word}_${people}`;
}

/** Registers a user and signs in with the cookie of the tab. */
export async function register({ page }: Tab, userName: string): Promise<void> {
  const data = { userName, displayName: `${userName} of the Hill`, password: "correct horse", autoLogin: true };
  const reply = await page.request.post("/register", { data });
  assert.is(reply.status(), 200, await reply.text());
}

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
