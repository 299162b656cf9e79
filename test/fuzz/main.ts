// `npm run fuzz -- N[,M] SEED [URL]`: N requests and M connections (without M: N) made from SEED, against the system at URL
// or one of our own. Of our own a tenth of N is sent one by one as well, to see that a refused one changes nothing.
import { readCommandLine, refuse } from "../../bench/command-line.ts";
import { fuzzHttp } from "./fuzz-http.ts";
import { fuzzRaw } from "./fuzz-raw.ts";
import { fuzzRefused } from "./fuzz-refused.ts";
import { type FuzzedSystem, startFuzzedSystem } from "./fuzzed-system.ts";

const help = `usage: npm run fuzz -- N[,M] SEED [URL]

Sends N requests and M connections (N by default) that are made from SEED to the gateway at URL, or to a system of its own, and
judges every reply. Use it on systems of your own only.

  npm run fuzz -- 20000 1
  npm run fuzz -- 20000,500 1 http://127.0.0.1:8080`;
const { positionals } = readCommandLine(help, { allowPositionals: true });
const [counts = "", seedText, url] = positionals;
const seed = Number(seedText);
const [requests, connections = requests] = counts.split(",").map(Number) as [number, number?];
if (![requests, connections, seed].every(Number.isSafeInteger)) refuse(help, "N, M and SEED must be whole numbers.");

/** Milliseconds in which a gateway with settings of its own gives up what it has begun: REQUEST_TIMEOUT_MS and its margins. */
const foreignTimeouts = 40_000;

try {
  if (url === undefined) {
    await fuzzOurOwn();
  } else {
    const target = { url, checkLog: () => {} };
    await report(requests, "requests", () => fuzzHttp(target, requests, seed));
    await report(connections, "connections", () => fuzzRaw(target, foreignTimeouts, connections, seed));
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

// Requests have half a minute, so that a busy machine is not taken for a slow client; connections a fifth of a second.
async function fuzzOurOwn(): Promise<void> {
  await using(await startFuzzedSystem(), async (target) => {
    const alone = Math.ceil(requests / 10);
    // First, while the tables are small: a refused request changed nothing when the digest of all of them is the same.
    await report(alone, "requests one by one", () => fuzzRefused(target, alone, seed));
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
