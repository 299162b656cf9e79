import { suite } from "uvu";
import { fuzzHttp } from "./fuzz-http.ts";
import { startFuzzedSystem } from "./fuzzed-system.ts";

const Http = suite("HTTP fuzzer");
let system: Awaited<ReturnType<typeof startFuzzedSystem>>;

Http.before(async () => {
  system = await startFuzzedSystem();
});
Http.after(() => system.stop());

Http("sends 20,000 requests and gets no defect, no other shape and no silence", () => fuzzHttp(system, 20_000, 1_000));

Http.run();
