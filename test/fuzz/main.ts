// `npm run fuzz -- N[,M] SEED [URL]`: N requests and M connections (without M: N) made from SEED, to the system at URL or to a new
// one. To a new one N / 10 more are sent one by one, to check that refused ones change nothing.
import { readCommandLine, refuse } from "../../bench/command-line.ts";
import { fuzzHttp } from "./fuzz-http.ts";
import { fuzzRaw } from "./fuzz-raw.ts";
import { fuzzRefused } from "./fuzz-refused.ts";
import { type FuzzedSystem, startFuzzedSystem } from "./fuzzed-system.ts";

const help = `usage: npm run fuzz -- N[,M] SEED [URL]

Sends N requests and opens M connections (N by default), made from SEED, to the gateway at URL or to a new system, and checks every
reply. Use it only on your own systems.

  npm run fuzz -- 20000 1
  npm run fuzz -- 20000,500 1 http://127.0.0.1:8080`;
const { positionals } = readCommandLine(help, { allowPositionals: true });
const [counts = "", seedText, url] = positionals;
const seed = Number(seedText);
const [requests, connections = requests] = counts.split(",").map(Number) as [number, number?];
if (![requests, connections, seed].every(Number.isSafeInteger)) refuse(help, "N, M and SEED must be whole numbers.");

/** Milliseconds within which a gateway with default settings abandons every request: REQUEST_TIMEOUT_MS with a margin. */
const defaultTimeouts = 40_000;

try {
  if (url === undefined) {
    await fuzzNewSystem();
  } else {
    const target = { url, checkLog: () => {} };
    await report(requests, "requests", () => fuzzHttp(target, requests, seed));
    await report(connections, "connections", () => fuzzRaw(target, defaultTimeouts, connections, seed));
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

// Requests have 30 s, since on a busy machine they come slowly; connections 200 ms, since they wait for timeouts.
async function fuzzNewSystem(): Promise<void> {
  await using(await startFuzzedSystem(), async (target) => {
    const singleRequests = Math.ceil(requests / 10);
    // First, while the tables are small: each request computes a digest of them.
    await report(singleRequests, "requests one by one", () => fuzzRefused(target, singleRequests, seed));
    await report(requests, "requests", () => fuzzHttp(target, requests, seed));
  });
  await using(await startFuzzedSystem({ REQUEST_TIMEOUT_MS: "200" }), (target) =>
    report(connections, "connections", () => fuzzRaw(target, 3_000, connections, seed)),
  );
}

async function using(target: FuzzedSystem, action: (target: FuzzedSystem) => Promise<void>) {
  try {
    await action(target);
  } finally {
    await target.stop();
  }
}

async function report(count: number, what: string, run: () => Promise<unknown>): Promise<void> {
  const started = performance.now();
  await run();
  console.log(`${count} ${what} from seed ${seed}: no fault, ${Math.round((performance.now() - started) / 1_000)} s`);
}
