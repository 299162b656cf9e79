import * as assert from "uvu/assert";
import { times } from "../support/long.ts";
import { suite } from "../support/suite.ts";
import { fuzzRaw } from "./fuzz-raw.ts";
import { startFuzzedSystem } from "./fuzzed-system.ts";
import { countSockets, leftOpen, type SocketCounter } from "./socket-counter.ts";

const Raw = suite("raw-socket fuzzer");
let system: Awaited<ReturnType<typeof startFuzzedSystem>>;
let sockets: SocketCounter;

Raw.before(async () => {
  system = await startFuzzedSystem({ REQUEST_TIMEOUT_MS: "200" });
  sockets = countSockets(Number(new URL(system.url).port));
});
Raw.after(async () => {
  sockets.end();
  await system.stop();
});

// The gateway lets a refused client finish sending for up to two seconds.
const connections = times(500, 5_000);
Raw(`opens ${connections} connections and receives only well-formed replies`, () =>
  fuzzRaw(system, 3_000, connections, 2_000),
);

Raw("leaves no socket open", async () => {
  assert.is(await leftOpen(sockets), 0);
});

Raw.run();
