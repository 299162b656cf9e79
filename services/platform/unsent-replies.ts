import type { Server } from "node:http";
import type { Socket } from "node:net";

/**
 * Has a server that closes its idle connections send the last replies to their end. Node takes a connection for idle when its reply
 * was handed over, and destroys it though the client has not read all of it.
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

/** Takes the place of a socket's `destroy` for one call: what is written is sent first. */
function endOnce(this: Socket): Socket {
  // Ending it calls the real one.
  Reflect.deleteProperty(this, "destroy");
  if (!this.writableEnded) this.destroySoon();
  return this;
}
