import * as assert from "uvu/assert";
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
