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
