import { randomBytes } from "node:crypto";
import type { Case } from "./case-file.ts";
import type { Topic } from "./load-cases.ts";
import type { Scope } from "./placeholders.ts";
import { runSteps } from "./run-case.ts";

/** The result of a case; it passed when there is no failure. */
export interface CaseResult extends Pick<Case, "title" | "open"> {
  failure: string | undefined;
}

/** Runs the cases of a topic one after the other. When the shared steps fail, all of them fail. */
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
 * Prepares a topic: the shared steps run once, before its first case. The returned function runs one case; it rejects with an Error
 * that says how a reply differs from the contract's.
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
 * The values that every case has. `unique`: 12 lower-case letters and digits, beginning with a letter, different in every case and
 * run. `host` and `origin`: those of the implementation under test.
 */
function freshScope(base: URL): Scope {
  const unique = `c${(randomBytes(8).readBigUInt64BE() % 36n ** 11n).toString(36).padStart(11, "0")}`;
  return new Map([
    ["unique", unique],
    ["host", base.host],
    ["origin", base.origin],
  ]);
}
