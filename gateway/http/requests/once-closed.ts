import type { IncomingMessage, ServerResponse } from "node:http";

/** A reply whose end can be observed. */
export interface ClosingReply {
  /** Calls back once when the reply was sent or the client has disconnected. To be called before the reply is sent. */
  onceClosed(action: OnceClosed): void;
}

export type OnceClosed = (isSent: boolean, status: number) => void;

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
