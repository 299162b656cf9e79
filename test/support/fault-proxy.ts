import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A wire that can be made worse. */
export interface FaultProxy {
  port: number;
  /** The same as an URL. */
  url: string;
  /** Milliseconds that every piece takes longer, each way; each piece up to `jitter` more or less. Nothing overtakes. */
  delay(ms: number, jitter?: number): void;
  /** Nothing passes any more, without a reset: packets are lost. */
  stall(): void;
  /** How many bytes have come since stall(), and got no further. */
  stalledBytes(): number;
  /** Nothing passes any more on open connections, without a reset; new ones are well: the peer came back elsewhere. */
  strand(): void;
  /** Connections end, and new ones end at once. */
  refuse(): void;
  /** Whatever is asked gets these bytes for an answer, and the connection ends. */
  answer(bytes: string): void;
  /** Everything passes again, as slowly as delay() says; what was stalled ends, as it would by itself in time. */
  heal(): void;
  close(): Promise<void>;
}

type Mode = "pass" | "stall" | "refuse" | { answer: string };

/** A proxy on loopback before a port of loopback, which may be known only when a connection comes, or before a unix socket. */
export async function startFaultProxy(target: number | string | (() => number)): Promise<FaultProxy> {
  let mode: Mode = "pass";
  let stalledBytes = 0;
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
      from.on("data", (chunk) => {
        if (stranded.has(from)) return;
        if (mode === "stall") stalledBytes += chunk.length;
        else if (mode === "pass") inTurn(() => to.writable && to.write(chunk));
        else if (mode !== "refuse") client.end(mode.answer, "latin1");
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    delay: (ms, jitter = 0) => void (latency = { ms, jitter }),
    stall() {
      mode = "stall";
      stalledBytes = 0;
    },
    stalledBytes: () => stalledBytes,
    strand() {
      for (const socket of sockets) stranded.add(socket);
    },
    refuse() {
      mode = "refuse";
      cut();
    },
    answer: (bytes) => void (mode = { answer: bytes }),
    heal() {
      if (mode === "stall") cut();
      mode = "pass";
    },
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Runs steps later and in their order, whatever each one's delay: a timer that fires takes the oldest. */
function delayLine(latency: () => { ms: number; jitter: number }): (step: () => void) => void {
  const waiting: (() => void)[] = [];
  return (step) => {
    const { ms, jitter } = latency();
    if (ms === 0 && waiting.length === 0) return step();
    waiting.push(step);
    setTimeout(() => waiting.shift()?.(), ms + (Math.random() * 2 - 1) * jitter);
  };
}
