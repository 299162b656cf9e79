import { connect, createServer, type Socket } from "node:net";
import { listen } from "./listen.ts";

type Mode = "pass" | "stall" | "lose replies" | "refuse" | { answer: string };

export type FaultProxy = Awaited<ReturnType<typeof startFaultProxy>>;

/**
 * A proxy on loopback whose connections a test can disturb.
 * @param target a unix socket, or a port of loopback, which may be known only when a connection comes
 */
export async function startFaultProxy(target: number | string | (() => number)) {
  let mode: Mode = "pass";
  let stalledBytes = 0;
  let inserted = "";
  let latency = { ms: 0, jitter: 0 };
  const sockets = new Set<Socket>();
  const stranded = new WeakSet<Socket>();
  const server = createServer((client) => {
    if (mode === "refuse") return void client.destroy();
    const to = typeof target === "function" ? target() : target;
    const remote = typeof to === "string" ? connect(to) : connect(to, "127.0.0.1");
    for (const [from, to] of [
      [client, remote],
      [remote, client],
    ] as const) {
      const inTurn = delayLine(() => latency);
      sockets.add(from);
      from.setNoDelay(true);
      from.on("error", () => {});
      from.on("close", () => {
        sockets.delete(from);
        inTurn(() => to.destroy());
      });
      from.on("data", (data) => {
        if (stranded.has(from)) return;
        const chunk = from === remote ? Buffer.concat([Buffer.from(inserted, "latin1"), data]) : data;
        if (from === remote) inserted = "";
        if (mode === "stall") stalledBytes += chunk.length;
        else if (mode === "lose replies" && from === remote) return;
        else if (mode === "pass" || mode === "lose replies") inTurn(() => to.writable && to.write(chunk));
        else if (mode !== "refuse") client.end(mode.answer, "latin1");
      });
    }
  });
  const port = await listen(server);
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    /** Delays every piece by so many milliseconds each way, give or take `jitter`. The order stays the same. */
    delay(ms: number, jitter = 0): void {
      latency = { ms, jitter };
    },
    /** Nothing passes any more, and connections stay open: packets are lost. */
    stall(): void {
      mode = "stall";
      stalledBytes = 0;
    },
    /** How many bytes have arrived since stall() and were not passed on. */
    stalledBytes: () => stalledBytes,
    /** What the target sends is lost from now on, until heal(); what clients send arrives. */
    loseReplies(): void {
      mode = "lose replies";
    },
    /** Nothing passes on open connections, which stay open; new ones work: the peer has restarted elsewhere. */
    strand(): void {
      for (const socket of sockets) stranded.add(socket);
    },
    /** Puts these bytes in front of the next piece that the target sends. */
    insert(bytes: string): void {
      inserted = bytes;
    },
    /** Ends all connections, and new ones at once. */
    refuse(): void {
      mode = "refuse";
      cut();
    },
    /** Answers everything with these bytes, and ends the connection. */
    answer(bytes: string): void {
      mode = { answer: bytes };
    },
    /** Everything passes again, with the delay of delay(). Stalled connections end, as they would by themselves in time. */
    heal(): void {
      if (mode === "stall" || mode === "lose replies") cut();
      mode = "pass";
    },
    async close(): Promise<void> {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Runs steps later and in their order, whatever the delay of each: a timer that fires runs the oldest. */
function delayLine(latency: () => { ms: number; jitter: number }): (step: () => void) => void {
  const waiting: (() => void)[] = [];
  return (step) => {
    const { ms, jitter } = latency();
    if (ms === 0 && waiting.length === 0) return step();
    waiting.push(step);
    setTimeout(() => waiting.shift()?.(), Math.max(0, ms + (Math.random() * 2 - 1) * jitter));
  };
}
