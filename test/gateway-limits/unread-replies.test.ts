import { once } from "node:events";
import { createServer } from "node:http";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import { maxBytesUnsent } from "../../gateway/http/limits/limits.ts";
import { watchConnections } from "../../gateway/http/sockets/watch-connections.ts";
import { eventually } from "../support/eventually.ts";
import { listen } from "../support/listen.ts";
import { suite } from "../support/suite.ts";

const Unread = suite("gateway replies that are not read");

/** More than the system's buffers for one connection. */
const replyBytes = 16 * 1024 * 1024;
const tooMany = Math.ceil((1.2 * maxBytesUnsent) / replyBytes);

Unread("end the connection of a client that reads nothing for too long", () =>
  withClients({ count: 1, longestStallMs: 300 }, async ([accepted]) => {
    await eventually("the end", async () => accepted?.destroyed === true, 10);
  }),
);

Unread("end a quarter of their connections when they fill the memory", () =>
  withClients({ count: tooMany }, async (accepted) => {
    await eventually("the first ends", async () => accepted.some(({ destroyed }) => destroyed), 10);
    assert.ok(accepted.some(({ destroyed }) => !destroyed));
  }),
);

Unread("are sent to the end while other buffers fill the memory", async () => {
  const other = Buffer.alloc(2 * maxBytesUnsent);
  await withClients({ count: 1 }, readLate);
  assert.is(other.length, 2 * maxBytesUnsent);
});

Unread("are sent to the end while cached pages fill the memory", () =>
  withClients({ count: tooMany, pageCacheBytes: 1024 ** 4 }, readLate),
);

Unread.run();

/** Clients begin to read after the time in which one counts as not reading, and get everything. */
async function readLate(accepted: net.Socket[], clients: net.Socket[]): Promise<void> {
  await sleep(1_500);
  assert.ok(accepted.every(({ destroyed }) => !destroyed));
  for (const client of clients) {
    let read = 0;
    client.on("data", (bytes: Buffer) => (read += bytes.length)).resume();
    await eventually("the whole reply", async () => read > replyBytes);
  }
}

/** @param use is given the sockets of the server and those of its clients, which have sent a request each and read nothing */
async function withClients(
  { count, pageCacheBytes = 0, longestStallMs }: { count: number; pageCacheBytes?: number; longestStallMs?: number },
  use: (accepted: net.Socket[], clients: net.Socket[]) => Promise<void>,
): Promise<void> {
  const accepted: net.Socket[] = [];
  const server = createServer(({ socket }, response) => {
    accepted.push(socket);
    response.end(Buffer.alloc(replyBytes));
  });
  const { stop } = watchConnections(server, pageCacheBytes, new WeakMap(), longestStallMs);
  const port = await listen(server);
  const clients = Array.from({ length: count }, () => net.connect(port, "127.0.0.1").on("error", () => {}));
  try {
    for (const client of clients) {
      await once(client, "connect");
      client.pause().write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    }
    await eventually("all requests", async () => accepted.length === count);
    await use(accepted, clients);
  } finally {
    for (const client of clients) client.destroy();
    stop();
    server.close();
  }
}
