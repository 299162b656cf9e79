/** One request that may be drawn. */
export interface Target {
  path: string;
  headers: Readonly<Record<string, string>>;
  /** Sent by POST; undefined for a GET. */
  body?: string;
}

/** Names a request: its path, and its body where it has one. A path holds no line break. */
export function requestKey(path: string, body: string | undefined): string {
  return body === undefined ? path : `${path}\n${body}`;
}

/** Requests in the order in which they are sent; `order` holds indices of targets. */
export interface Draw {
  targets: readonly Target[];
  order: Uint16Array;
  /** Whether every reply is to be an error of the client's, such as 404; default: none may be. */
  isRefused?: boolean;
}

/** How to send them. */
export interface Pressure {
  connections: number;
  seconds: number;
}

/** The result. Times are in milliseconds, from the sending of a request to the end of its reply. */
export interface Measured {
  perSecond: number;
  p50: number;
  p99: number;
  requests: number;
  /** Replies of 400 and above, or of a refused draw those below; time-outs, and sockets that could not be opened, read or written. */
  errors: number;
}

/** Sends a draw to a server over and over, with keep-alive and one request at a time on each connection. */
export type Load = (url: string, draw: Draw, pressure: Pressure) => Promise<Measured>;
