import { suite } from "uvu";
import * as assert from "uvu/assert";
import { times } from "../support/long.ts";
import { fuzzRaw } from "./fuzz-raw.ts";
import { startFuzzedSystem } from "./fuzzed-system.ts";
import { leftOpen, type SocketCensus, startSocketCensus } from "./socket-census.ts";

const Raw = suite("raw-socket fuzzer");
let system: Awaited<ReturnType<typeof startFuzzedSystem>>;
let census: SocketCensus;

Raw.before(async () => {
  system = await startFuzzedSystem({ REQUEST_TIMEOUT_MS: "200" });
  census = startSocketCensus(Number(new URL(system.url).port));
});
Raw.after(async () => {
  census.end();
  await system.stop();
});

// The gateway lets a client that it refused finish for up to two seconds more.
const connections = times(500, 5_000);
Raw(`plays ${connections} connections and gets well-formed replies only`, () =>
  fuzzRaw(system, 3_000, connections, 2_000),
);

Raw("leaves no socket behind", async () => {
  assert.is(await leftOpen(census), 0);
});

Raw.run();
