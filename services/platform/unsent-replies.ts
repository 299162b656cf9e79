import type { Server } from "node:http";
import type { Socket } from "node:net";

/**
 * Makes a server that closes its idle connections send the last replies in full. Node considers a connection idle when its reply was
 * handed to the socket, and destroys it although the client has not read all of it.
 * @param sockets those of the server that are open
 */
export function keepUnsentReplies(server: Server, sockets: { keys(): Iterable<Socket> }): void {
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    const unsent = [...sockets.keys()].filter(({ writableLength }) => writableLength > 0);
    for (const socket of unsent) Object.assign(socket, { destroy: endOnce });
    closeIdle();
    for (const socket of unsent) Reflect.deleteProperty(socket, "destroy");
  };
}

/** Replaces a socket's `destroy` for one call: sends what is written first. */
function endOnce(this: Socket): Socket {
  // Ending it calls the real one.
  Reflect.deleteProperty(this, "destroy");
  if (!this.writableEnded) this.destroySoon();
  return this;
}
