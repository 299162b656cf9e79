import fc from "fast-check";

/** Number of cases of one seed. A run of N cases from seed S has the batches S, S + 1, …, each of which can be repeated separately. */
const batchSize = 100;

export interface Fuzzer<Case> {
  name: string;
  cases: fc.Arbitrary<Case>;
  /** The number of batches at a time, and of cases at a time of each. */
  concurrentBatches: number;
  concurrentCases: number;
  /** Sends a case and checks the reply. Throws Error that says what is wrong with it. */
  run(asked: Case): Promise<void>;
  /** Checks that the server works as before the batch. Throws Error that says what is wrong. */
  checkHealth(): Promise<void>;
  describe(asked: Case): string;
}

/**
 * Runs a number of cases in batches, the last of which may be smaller, and checks the server's health after each batch.
 * @throws Error at the first failed batch, with its seed, the command that repeats it, and its first failures
 */
export async function runBatches<Case>(fuzzer: Fuzzer<Case>, count: number, seed: number): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next * batchSize < count) {
      const batch = next++;
      const size = Math.min(batchSize, count - batch * batchSize);
      const failures = await runBatch(fuzzer, fc.sample(fuzzer.cases, { seed: seed + batch, numRuns: size }));
      if (failures.length === 0) continue;
      next = Number.POSITIVE_INFINITY;
      throw new Error(report(fuzzer.name, seed + batch, size, failures));
    }
  };
  const workers = await Promise.allSettled(Array.from({ length: fuzzer.concurrentBatches }, worker));
  for (const outcome of workers) if (outcome.status === "rejected") throw outcome.reason;
}

async function runBatch<Case>(fuzzer: Fuzzer<Case>, cases: readonly Case[]): Promise<string[]> {
  const failures: string[] = [];
  const waiting = cases[Symbol.iterator]();
  const worker = async () => {
    for (const asked of waiting) {
      await fuzzer.run(asked).catch((error: Error) => failures.push(`${error.message}\n    ${fuzzer.describe(asked)}`));
    }
  };
  await Promise.all(Array.from({ length: fuzzer.concurrentCases }, worker));
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
