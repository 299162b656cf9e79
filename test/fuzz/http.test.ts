import { suite } from "uvu";
import { times } from "../support/long.ts";
import { fuzzHttp } from "./fuzz-http.ts";
import { startFuzzedSystem } from "./fuzzed-system.ts";

const Http = suite("HTTP fuzzer");
let system: Awaited<ReturnType<typeof startFuzzedSystem>>;

Http.before(async () => {
  system = await startFuzzedSystem();
});
Http.after(() => system.stop());

const requests = times(2_000, 20_000);
Http(`sends ${requests} requests and gets no defect, no other shape and no silence`, () =>
  fuzzHttp(system, requests, 1_000),
);

Http.run();
