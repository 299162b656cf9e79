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
  /** The status that every reply has to have. */
  status: number;
}

/** The result. Times are in milliseconds, from the sending of a request to the end of its reply. */
export interface Measured {
  requests: number;
  perSecond: number;
  p99: number;
}

/**
 * Sends a draw to a server over and over for some seconds, on 64 connections with keep-alive and one request at a time on each.
 * @throws Error when requests failed, or had a status of 400 and above where the draw's is below, or the other way round
 */
export type Load = (url: string, draw: Draw, seconds: number) => Promise<Measured>;

export const connections = 64;
