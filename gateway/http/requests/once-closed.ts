import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * Calls back once when a response was sent or its connection has ended; at once if that has happened already. A response's own `close` event
 * is not enough: Node emits none for a response that waits behind another one when their connection ends.
 */
export function onceClosed({ socket }: IncomingMessage, response: ServerResponse, action: () => void): void {
  if (response.closed || socket.destroyed) return action();
  let isClosed = false;
  const close = () => {
    // Node closes the response while it emits the socket's event.
    if (isClosed) return;
    isClosed = true;
    socket.off("close", close);
    response.off("close", close);
    action();
  };
  socket.once("close", close);
  response.once("close", close);
}
