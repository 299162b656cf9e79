import type { ReplyTemplate } from "./case-file.ts";
import { match } from "./match.ts";
import type { Reply } from "./parse-reply.ts";
import type { Scope } from "./placeholders.ts";

export interface Verdict {
  /** The differences between the reply and its template; empty when there are none. */
  differences: string[];
  captured: Record<string, string>;
}

/**
 * Compares a reply with its template: the status, each header of the template, and the whole body. A header line must match one
 * header of that name; with the value `{{absent}}` there must be none.
 */
export function checkReply(wanted: ReplyTemplate, reply: Reply, scope: Scope): Verdict {
  const verdict: Verdict = { differences: [], captured: {} };
  const known = () => new Map([...scope, ...Object.entries(verdict.captured)]);
  if (!wanted.statuses.includes(reply.status)) {
    verdict.differences.push(`status\n  expected ${wanted.statuses.join(" or ")}\n  received ${reply.status}`);
  }
  for (const [name, value] of wanted.headers) {
    const values = reply.headers.filter(([given]) => given === name.toLowerCase()).map(([, given]) => given);
    add(verdict, checkHeader(name, value, values, known()));
  }
  add(verdict, checkText("body", wanted.body, reply.body, known()));
  return verdict;
}

type Outcome = Record<string, string> | string;

function add(verdict: Verdict, outcome: Outcome): void {
  if (typeof outcome === "string") verdict.differences.push(outcome);
  else Object.assign(verdict.captured, outcome);
}

function checkHeader(name: string, wanted: string, values: string[], scope: Scope): Outcome {
  if (wanted === "{{absent}}")
    return values.length === 0 ? {} : `header ${name}\n  expected none\n  received ${values}`;
  const outcomes = values.map((value) => checkText(`header ${name}`, wanted, value, scope));
  return (
    outcomes.find((outcome) => typeof outcome !== "string") ??
    outcomes[0] ??
    `header ${name}\n  expected ${wanted}\n  received none`
  );
}

function checkText(what: string, wanted: string, text: string, scope: Scope): Outcome {
  const outcome = match(wanted, text, scope);
  if ("captured" in outcome) return outcome.captured;
  const { differsAt } = outcome;
  return `${what}, from character ${differsAt} on\n  expected ${cut(outcome.wanted, 0)}\n  received ${cut(text, differsAt)}`;
}

/** The part of a long text around this place. */
function cut(text: string, place: number): string {
  const start = text.length <= 1_200 || place < 300 ? 0 : place - 300;
  const piece = text.slice(start, start + 1_200);
  return `${start > 0 ? "…" : ""}${piece}${start + 1_200 < text.length ? "…" : ""}`;
}
