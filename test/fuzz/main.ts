// `npm run fuzz -- N SEED [URL]`: N requests and N connections made from SEED, against the system at URL or one of our own.
import { type FuzzTarget, fuzzHttp } from "./fuzz-http.ts";
import { fuzzRaw } from "./fuzz-raw.ts";
import { startFuzzedSystem } from "./fuzzed-system.ts";

const [count, seed] = process.argv.slice(2, 4).map(Number);
const url = process.argv[4];
if (!Number.isSafeInteger(count) || !Number.isSafeInteger(seed)) {
  console.error("usage: npm run fuzz -- N SEED [URL]");
  process.exit(2);
}

/** Milliseconds in which a gateway with settings of its own gives up what it has begun: REQUEST_TIMEOUT_MS and its margins. */
const foreignTimeouts = 40_000;

try {
  if (url === undefined) {
    await fuzzOurOwn();
  } else {
    const target = { url, checkLog: () => {} };
    await report("requests", () => fuzzHttp(target, count as number, seed as number));
    await report("connections", () => fuzzRaw(target, foreignTimeouts, count as number, seed as number));
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

// Requests have half a minute, so that a busy machine is not taken for a slow client; connections a fifth of a second.
async function fuzzOurOwn(): Promise<void> {
  await using(await startFuzzedSystem(), (target) =>
    report("requests", () => fuzzHttp(target, count as number, seed as number)),
  );
  await using(await startFuzzedSystem({ REQUEST_TIMEOUT_MS: "200" }), (target) =>
    report("connections", () => fuzzRaw(target, 3_000, count as number, seed as number)),
  );
}

async function using<T extends FuzzTarget & { stop(): Promise<void> }>(
  target: T,
  action: (target: T) => Promise<void>,
) {
  try {
    await action(target);
  } finally {
    await target.stop();
  }
}

async function report(what: string, run: () => Promise<void>): Promise<void> {
  const started = performance.now();
  await run();
  console.log(`${count} ${what} from seed ${seed}: no fault, ${Math.round((performance.now() - started) / 1_000)} s`);
}
