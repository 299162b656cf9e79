import net, { type Socket } from "node:net";
import { listen } from "./listen.ts";

export type RoundRobin = Awaited<ReturnType<typeof startRoundRobin>>;

/**
 * A balancer for several ports of loopback that does not check their health: each connection goes to the next port, or to the
 * one after that when it is refused.
 */
export async function startRoundRobin(ports: readonly number[]) {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = net.createServer({ pauseOnConnect: true }, (client) => {
    sockets.add(client.setNoDelay());
    client.on("error", () => {});
    client.on("close", () => sockets.delete(client));
    connectTo(client, connections++, ports.length);
  });

  function connectTo(client: Socket, turn: number, tries: number): void {
    if (tries === 0) return void client.destroy();
    const target = net.connect(ports[turn % ports.length] as number, "127.0.0.1");
    const refused = () => connectTo(client, turn + 1, tries - 1);
    target.once("error", refused);
    target.once("connect", () => {
      target.off("error", refused).on("error", () => {});
      sockets.add(target.setNoDelay());
      target.on("close", () => {
        sockets.delete(target);
        client.destroy();
      });
      client.on("close", () => target.destroy());
      client.pipe(target).pipe(client);
    });
  }

  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    async stop(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
