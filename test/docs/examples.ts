import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A command of a page, and the output that the page shows. */
export interface Example {
  command: string;
  form: "json" | "http" | "text";
  reply: string;
}

export interface Page {
  examples: Example[];
  /** The number of commands on the page, with a reply or without. */
  commands: number;
}

/** The examples of a page of docs/: blocks of `sh`, each followed by a block with the reply. Continued lines are joined. */
export function readPage(name: string): Page {
  const text = readText(name);
  const found = [...text.matchAll(/```sh\n([^`]*)\n```\n\n```(json|http|text)\n([^`]*)\n```/g)];
  return {
    examples: found.map(([, command = "", form, reply = ""]) => ({
      command: command.replace(/\\\n\s*/g, ""),
      form: form as Example["form"],
      reply,
    })),
    commands: text.match(/```sh/g)?.length ?? 0,
  };
}

/** The text of a page of docs/. */
export function readText(name: string): string {
  return readFileSync(join(import.meta.dirname, "../../docs", name), "utf8");
}
