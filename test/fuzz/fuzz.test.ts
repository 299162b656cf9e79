import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import * as assert from "uvu/assert";
import { eventually } from "../support/eventually.ts";
import { times } from "../support/long.ts";
import { suite, uses } from "../support/suite.ts";
import { fuzzHttp } from "./fuzz-http.ts";
import { fuzzRaw } from "./fuzz-raw.ts";
import { fuzzRefused } from "./fuzz-refused.ts";
import { startFuzzedSystem } from "./fuzzed-system.ts";

const Http = suite("HTTP fuzzer");
const system = uses(Http, () => startFuzzedSystem());

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
const raw = uses(Raw, () => startFuzzedSystem({ REQUEST_TIMEOUT_MS: "200" }));
/** The sockets that the gateway has accepted and not closed, as Node reports them. */
const open = new Set<Socket>();

function note(message: unknown): void {
  const { socket } = message as { socket: Socket };
  if (`${socket.localPort}` !== new URL(raw.url).port) return;
  open.add(socket);
  socket.once("close", () => open.delete(socket));
}
Raw.before(() => subscribe("net.server.socket", note));
Raw.after(() => void unsubscribe("net.server.socket", note));

// The gateway lets a refused client finish sending for up to two seconds.
const connections = times(500, 5_000);
Raw(`opens ${connections} connections and receives only well-formed replies`, () =>
  fuzzRaw(raw, 3_000, connections, 2_000),
);

Raw("leaves no socket open", () => eventually("the gateway has closed all sockets", async () => open.size === 0, 5));

Raw.run();
