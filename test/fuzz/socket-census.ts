import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";

export interface SocketCensus {
  /** Sockets that the server has accepted and not let go of. */
  open(): number;
  end(): void;
}

/** Counts the sockets of a server of this process from now on, as Node itself reports them. */
export function startSocketCensus(port: number): SocketCensus {
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

/** The sockets that are left when the last clients have gone: all that still end within a few seconds have. */
export async function leftOpen(census: SocketCensus): Promise<number> {
  for (let turn = 0; census.open() > 0 && turn < 100; turn++) await new Promise((resolve) => setTimeout(resolve, 50));
  return census.open();
}
