import * as assert from "uvu/assert";
import { times } from "../support/long.ts";
import { suite } from "../support/suite.ts";
import { fuzzHttp } from "./fuzz-http.ts";
import { fuzzRefused } from "./fuzz-refused.ts";
import { startFuzzedSystem } from "./fuzzed-system.ts";

const Http = suite("HTTP fuzzer");
let system: Awaited<ReturnType<typeof startFuzzedSystem>>;

Http.before(async () => {
  system = await startFuzzedSystem();
});
Http.after(() => system.stop());

// First, while the tables are small: each request computes a digest of them.
const singleRequests = times(40, 2_000);
Http(`sends ${singleRequests} requests one by one, and a refused one changes nothing`, async () => {
  const { refused, written } = await fuzzRefused(system, singleRequests, 3_000);
  assert.ok(refused > singleRequests / 10 && written > singleRequests / 20, `${refused} refused, ${written} written`);
});

const requests = times(400, 20_000);
Http(`sends ${requests} requests, and each gets a reply by the contract without a logged defect`, () =>
  fuzzHttp(system, requests, 1_000),
);

Http.run();
