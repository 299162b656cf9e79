import fc from "fast-check";

/** Cases that one seed makes. A run of N cases from seed S is the batches S, S + 1, …: each can be run again alone. */
const batchSize = 100;

export interface Fuzzer<Case> {
  /** How a failure calls this fuzzer. */
  name: string;
  cases: fc.Arbitrary<Case>;
  /** Batches under way at a time, and cases in flight of each. */
  batchesAtATime: number;
  atATime: number;
  /** Sends a case and judges what comes back. Throws what is wrong with it. */
  run(asked: Case): Promise<void>;
  /** Whether the server is as well as before the batch. Throws what is wrong with it. */
  checkHealth(): Promise<void>;
  describe(asked: Case): string;
}

/**
 * Runs a number of cases, the last batch cut short, and checks the server's health after each batch.
 * @throws Error at the first bad batch, with its seed, a line that runs it again, and the first bad cases
 */
export async function runBatches<Case>(fuzzer: Fuzzer<Case>, count: number, seed: number): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next * batchSize < count) {
      const batch = next++;
      const size = Math.min(batchSize, count - batch * batchSize);
      const failures = await runBatch(fuzzer, fc.sample(fuzzer.cases, { seed: seed + batch, numRuns: size }));
      if (failures.length === 0) continue;
      next = Number.POSITIVE_INFINITY;
      throw new Error(report(fuzzer.name, seed + batch, size, failures));
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: fuzzer.batchesAtATime }, lane));
  for (const outcome of lanes) if (outcome.status === "rejected") throw outcome.reason;
}

async function runBatch<Case>(fuzzer: Fuzzer<Case>, cases: readonly Case[]): Promise<string[]> {
  const failures: string[] = [];
  const waiting = cases[Symbol.iterator]();
  const lane = async () => {
    for (const asked of waiting) {
      await fuzzer.run(asked).catch((error: Error) => failures.push(`${error.message}\n    ${fuzzer.describe(asked)}`));
    }
  };
  await Promise.all(Array.from({ length: fuzzer.atATime }, lane));
  await fuzzer.checkHealth().catch((error: Error) => failures.push(`after the batch: ${error.message}`));
  return failures;
}

function report(name: string, seed: number, size: number, failures: readonly string[]): string {
  const shown = failures.slice(0, 3).map((failure) => `  ${failure}`);
  return [
    `${name}: ${failures.length} of ${size} cases failed with seed ${seed}; again with: npm run fuzz -- ${size} ${seed}`,
    ...shown,
  ].join("\n");
}
