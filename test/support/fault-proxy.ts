import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A wire that can be made worse. */
export interface FaultProxy {
  port: number;
  /** Milliseconds that every piece takes longer, each way. */
  delay(ms: number): void;
  /** Nothing passes any more, and nobody is told: packets are lost. */
  stall(): void;
  /** Connections end, and new ones end at once. */
  refuse(): void;
  /** As new; what was stalled ends, as it would by itself in time. */
  heal(): void;
  close(): Promise<void>;
}

/** A proxy on loopback before a port of loopback. */
export async function startFaultProxy(target: number): Promise<FaultProxy> {
  let mode: "pass" | "stall" | "refuse" = "pass";
  let latency = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    if (mode === "refuse") return void client.destroy();
    const remote = connect(target, "127.0.0.1");
    for (const [from, to] of [
      [client, remote],
      [remote, client],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      from.on("error", () => {});
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
      from.on("data", (chunk) => {
        if (mode !== "pass") return;
        // Timers of one length fire in their order.
        if (latency === 0) to.write(chunk);
        else setTimeout(() => to.writable && to.write(chunk), latency);
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    delay: (ms) => void (latency = ms),
    stall: () => void (mode = "stall"),
    refuse() {
      mode = "refuse";
      cut();
    },
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
