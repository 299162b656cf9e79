import net, { type AddressInfo, type Socket } from "node:net";

/** What stands between a client and its service does with connections: those that it has, and those to come. */
export type Behaviour =
  /** Bytes go through. */
  | "pass"
  /** Connections are accepted and stay open, and nothing goes through. */
  | "stall"
  /** Connections are accepted and broken when the first bytes come. */
  | "cut"
  /** These bytes answer whatever comes, and the connection ends. */
  | { answer: string };

export interface Proxy {
  url: string;
  /** Changes what happens from now on, to connections that are open as well. */
  behave(behaviour: Behaviour): void;
  stop(): Promise<void>;
}

/** Stands on a port of loopback in front of the service at the URL that `target` tells when a connection comes. */
export async function startProxy(target: () => string): Promise<Proxy> {
  let behaviour: Behaviour = "pass";
  const sockets = new Set<Socket>();
  const server = net.createServer((client) => {
    const service = net.connect(Number(new URL(target()).port), "127.0.0.1");
    for (const socket of [client, service]) {
      sockets.add(socket.setNoDelay());
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        service.destroy();
      });
    }
    service.on("data", (bytes) => behaviour === "pass" && client.write(bytes));
    client.on("data", (bytes) => {
      if (behaviour === "pass") service.write(bytes);
      else if (behaviour === "cut") client.destroy();
      else if (behaviour !== "stall") client.end(behaviour.answer, "latin1");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    behave: (next) => void (behaviour = next),
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
