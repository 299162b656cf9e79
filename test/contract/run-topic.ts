import { randomBytes } from "node:crypto";
import type { Case } from "./case-file.ts";
import type { Topic } from "./load-cases.ts";
import type { Scope } from "./placeholders.ts";
import { runSteps } from "./run-case.ts";

/** How one case went; no failure: it passed. */
export interface CaseResult extends Pick<Case, "title" | "open"> {
  failure: string | undefined;
}

/** Runs the cases of a topic one after the other. When what they share fails, each of them has failed. */
export async function runTopic(base: URL, topic: Topic): Promise<CaseResult[]> {
  const run = openTopic(base, topic);
  const results: CaseResult[] = [];
  for (const golden of topic.cases) {
    const { title, open } = golden;
    results.push({ title, open, failure: await failureOf(run(golden)) });
  }
  return results;
}

/**
 * Prepares a topic: what its cases share runs once, when the first of them needs it. The returned function runs one case;
 * it rejects with an Error that says how a reply differs from the contract's.
 */
export function openTopic(base: URL, { before }: Topic): (golden: Case) => Promise<void> {
  let shared: ReturnType<typeof runSteps> | undefined;
  return async ({ steps }) => {
    shared ??= runSteps(base, before, freshScope(base));
    await runSteps(base, steps, new Map([...(await shared), ...freshScope(base)]));
  };
}

function failureOf(run: Promise<void>): Promise<string | undefined> {
  return run.then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

/**
 * What a case knows from the start. `unique`: 12 lower-case letters and digits, beginning with a letter, that no other
 * case and no other run has. `host` and `origin`: where the implementation under test is.
 */
function freshScope(base: URL): Scope {
  const unique = `c${(randomBytes(8).readBigUInt64BE() % 36n ** 11n).toString(36).padStart(11, "0")}`;
  return new Map([
    ["unique", unique],
    ["host", base.host],
    ["origin", base.origin],
  ]);
}
