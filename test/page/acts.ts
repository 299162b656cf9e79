import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page, Route } from "playwright-core";
import * as assert from "uvu/assert";
import { eventually } from "../support/eventually.ts";
import { isLong } from "../support/long.ts";
import type { Tab } from "../support/tab.ts";

/** Opens an address and waits until its view is shown. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await settled(page);
}

/** Follows a link to an address, which costs a tenth of opening it. */
export async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate(`(() => {
    const link = document.createElement("a");
    link.href = ${JSON.stringify(path)};
    document.querySelector("header").append(link);
    link.click();
    link.remove();
  })()`);
  await settled(page);
}

/** Waits until the view of the address is shown. */
export async function settled(page: Page): Promise<void> {
  await page.waitForSelector("main:not([aria-busy]) h1");
}

/** Opens a menu and chooses an item: of the user's own menu, or of the first menu in a part of the page. */
export async function choose(page: Page, item: string, part?: Locator): Promise<void> {
  const button =
    part === undefined ? page.getByRole("button", { name: "Your menu" }) : part.getByRole("button", { name: "More" });
  await button.first().click();
  await page.getByRole("menuitem", { name: item }).click();
}

/** The field for the words of a status. */
export const composer = (page: Page) => page.locator(".composer textarea");

/** Publishes the draft, or a text, and waits until the page says so. */
export async function publish(page: Page, text?: string): Promise<void> {
  if (text !== undefined) await composer(page).fill(text);
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByText("Your status is published.").waitFor();
}

/** Fills in the form of a registration and sends it. */
export async function sendRegistration(page: Page, name: string): Promise<void> {
  await page.getByLabel("User name", { exact: true }).fill(name);
  await page.getByLabel("Password").fill("correct horse");
  await page.getByRole("button", { name: "Register" }).click();
}

/** Fills in the form of a sign-in and sends it. */
export async function sendSignIn(page: Page, name: string, password = "correct horse"): Promise<void> {
  await page.getByLabel("User name or e-mail").fill(name);
  await page.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
}

/** Holds matching requests back until the returned function is called; then this is done with each. */
export async function hold(
  page: Page,
  url: string | RegExp,
  then: (route: Route) => Promise<void>,
): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(url, async (route) => {
    await released;
    await then(route);
  });
  return release;
}

/** Stores a picture of the whole page in the long form, for people; no test compares it. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  if (!isLong && process.env.SCREENSHOTS === undefined) return;
  const folder = join(import.meta.dirname, "../../out/screenshots");
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

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

/** Signs a new user in to the same browser, of which another tab tells the page. */
export async function signInElsewhere(tab: Tab, userName: string): Promise<void> {
  await register(tab, userName);
  await tab.page.evaluate("new BroadcastChannel('roost.session').postMessage('changed')");
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
