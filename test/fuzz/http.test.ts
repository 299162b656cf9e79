import { suite } from "uvu";
import * as assert from "uvu/assert";
import { times } from "../support/long.ts";
import { fuzzHttp } from "./fuzz-http.ts";
import { fuzzRefused } from "./fuzz-refused.ts";
import { startFuzzedSystem } from "./fuzzed-system.ts";

const Http = suite("HTTP fuzzer");
let system: Awaited<ReturnType<typeof startFuzzedSystem>>;

Http.before(async () => {
  system = await startFuzzedSystem();
});
Http.after(() => system.stop());

// First, while the tables are small, of which each request takes a digest.
const alone = times(40, 2_000);
Http(`sends ${alone} requests one by one, of which a refused one changes nothing`, async () => {
  const { refused, written } = await fuzzRefused(system, alone, 3_000);
  assert.ok(refused > alone / 10 && written > alone / 20, `${refused} refused, ${written} written`);
});

const requests = times(400, 20_000);
Http(`sends ${requests} requests and gets no defect, no other shape and no silence`, () =>
  fuzzHttp(system, requests, 1_000),
);

Http.run();
