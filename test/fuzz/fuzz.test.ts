import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import * as assert from "uvu/assert";
import { times } from "../support/long.ts";
import { suite } from "../support/suite.ts";
import { fuzzHttp } from "./fuzz-http.ts";
import { fuzzRaw } from "./fuzz-raw.ts";
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

const Raw = suite("raw-socket fuzzer");
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

interface SocketCounter {
  /** The number of sockets that the server has accepted and not closed. */
  open(): number;
  end(): void;
}

/** Counts the open sockets of a server in this process from now on, as Node reports them. */
function countSockets(port: number): SocketCounter {
  const sockets = new Set<Socket>();
  const note = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    if (socket.localPort !== port) return;
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  };
  subscribe("net.server.socket", note);
  return { open: () => sockets.size, end: () => void unsubscribe("net.server.socket", note) };
}

/** Waits at most 5 s until all sockets are closed; returns the number of those that are still open. */
async function leftOpen(counter: SocketCounter): Promise<number> {
  for (let turn = 0; counter.open() > 0 && turn < 100; turn++) await new Promise((resolve) => setTimeout(resolve, 50));
  return counter.open();
}
