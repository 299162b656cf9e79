import net, { type AddressInfo, type Socket } from "node:net";

/** Stands before several ports of loopback, as a balancer that knows nothing of their health: each connection to the next. */
export interface RoundRobin {
  url: string;
  stop(): Promise<void>;
}

export async function startRoundRobin(ports: readonly number[]): Promise<RoundRobin> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = net.createServer((client) => {
    const target = net.connect(ports[connections++ % ports.length] as number, "127.0.0.1");
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(from.setNoDelay());
      from.pipe(to);
      from.on("error", () => {});
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
