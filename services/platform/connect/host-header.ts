import type { IncomingMessage } from "node:http";
import type { Http2ServerRequest } from "node:http2";

type Request = Pick<IncomingMessage | Http2ServerRequest, "headers" | "rawHeaders">;

/**
 * The one host that a request names, in Host or, over HTTP/2, in :authority. Undefined when there is none, or more than one, or
 * it is not a valid host: later code makes a URL of it, which would throw.
 */
export function hostOf(request: Request): string | undefined {
  const { host, ":authority": given } = request.headers;
  const authority = given?.toString();
  const name = host ?? authority;
  if (name === undefined || (authority ?? name) !== name || hasSeveralHosts(request)) return undefined;
  return URL.canParse(`http://${name}`) ? name : undefined;
}

/** Whether a request has two Host headers, of which Node silently takes the first (RFC 9112 §3.2: to be refused). */
export function hasSeveralHosts({ rawHeaders }: Pick<Request, "rawHeaders">): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === "host") hosts++;
  }
  return hosts > 1;
}

/** Whether a host, with or without a port, is a name that every machine has for itself. */
export function isLoopbackHost(host: string): boolean {
  return loopbackHost.test(host);
}

// `localhost` and what is below it are loopback in every browser, whatever a name server says (RFC 6761 §6.3).
const loopbackHost = /^(?:(?:[a-z0-9-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/** A host as written in a URL: IPv6 addresses in brackets. */
export function urlHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
