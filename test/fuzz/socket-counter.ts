import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";

export interface SocketCounter {
  /** The number of sockets that the server has accepted and not closed. */
  open(): number;
  end(): void;
}

/** Counts the open sockets of a server in this process from now on, as Node reports them. */
export function countSockets(port: number): SocketCounter {
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
export async function leftOpen(counter: SocketCounter): Promise<number> {
  for (let turn = 0; counter.open() > 0 && turn < 100; turn++) await new Promise((resolve) => setTimeout(resolve, 50));
  return counter.open();
}
