import * as assert from "uvu/assert";
import type { Variables } from "./shell-words.ts";

/**
 * Compares a reply with the one that a page shows. There `…` matches anything, and `$NAME` the value of that variable; when it has
 * none yet, it matches a word with dots, which becomes its value.
 */
export function matchReply(reply: string, shown: string, variables: Variables = new Map()): void {
  const found = pattern(shown, variables).exec(reply);
  if (found === null) assert.fixture(reply, shown);
  for (const [name, value] of Object.entries(found?.groups ?? {})) variables.set(name, value);
}

function pattern(shown: string, variables: Variables): RegExp {
  const parts = shown.split(/(…|\$[A-Z_]+)/).map((part) => {
    if (part === "…") return ".*";
    const name = /^\$([A-Z_]+)$/.exec(part)?.[1];
    if (name === undefined) return literal(part);
    const value = variables.get(name);
    return value === undefined ? `(?<${name}>[\\w.-]+)` : literal(value);
  });
  return new RegExp(`^${parts.join("")}$`, "s");
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
