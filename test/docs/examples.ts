import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";

/** The examples of a page of docs/: blocks of `sh`, each followed by a block with the reply. Continued lines are joined. */
export function readPage(name: string) {
  const text = readText(name);
  const found = [...text.matchAll(/```sh\n([^`]*)\n```\n\n```(json|http|text)\n([^`]*)\n```/g)];
  return {
    examples: found.map(([, command = "", form, reply = ""]) => ({
      command: command.replace(/\\\n\s*/g, ""),
      form,
      reply,
    })),
    /** The number of commands on the page, with a reply or without. */
    commands: text.match(/```sh/g)?.length ?? 0,
  };
}

/** The text of a page of docs/. */
export function readText(name: string): string {
  return readFileSync(join(import.meta.dirname, "../../docs", name), "utf8");
}

/** Shell variables, whose values are parts of earlier replies. */
export type Variables = Map<string, string>;

/** Splits a command into words like a shell: with single quotes, double quotes, and variables outside single quotes. */
export function shellWords(command: string, variables: Variables): string[] {
  const words = command.match(/(?:'[^']*'|"[^"]*"|[^\s'"]+)+/g) ?? [];
  return words.map((word) =>
    word.replace(/'([^']*)'|"([^"]*)"|([^'"]+)/g, (_part, literal, quoted, plain) =>
      literal === undefined ? expand(quoted ?? plain, variables) : literal,
    ),
  );
}

function expand(text: string, variables: Variables): string {
  return text.replace(/\$([A-Z_]+)/g, (_whole, name) => {
    const value = variables.get(name);
    if (value === undefined) throw new Error(`no reply before has set ${name}`);
    return value;
  });
}

/**
 * Sends a request like curl, with the few options that our pages use; the head of its reply is in lower case.
 * @param words the command, beginning with `curl`
 * @param place replaces the host of a URL by that of the test's system
 */
export async function curl(words: readonly string[], place: (url: string) => string) {
  const headers: Record<string, string> = {};
  let method: string | undefined;
  let body: string | undefined;
  let url = "";
  for (let at = 1; at < words.length; at++) {
    const word = words[at] as string;
    if (word === "-i") continue;
    else if (word === "-X") method = words[++at];
    else if (word === "-d") {
      body = words[++at];
      // Like curl: the type of -d is a form, whatever it contains.
      headers["content-type"] ??= "application/x-www-form-urlencoded";
    } else if (word === "--json") {
      body = words[++at];
      headers["content-type"] = "application/json";
    } else if (word === "-H") {
      const [name = "", value = ""] = (words[++at] as string).split(/: (.*)/);
      headers[name] = value;
    } else url = place(word);
  }
  const response = await fetch(url, { method: method ?? (body === undefined ? "GET" : "POST"), headers, body });
  const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`.toLowerCase());
  return {
    head: [`http/1.1 ${response.status} ${response.statusText}`.toLowerCase(), ...lines],
    body: await response.text(),
  };
}

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
