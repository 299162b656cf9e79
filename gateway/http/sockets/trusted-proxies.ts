import { compile } from "@fastify/proxy-addr";
import type { EnvironmentReader } from "../../../services/platform/environment.ts";

/** Reads TRUST_PROXY: the addresses whose X-Forwarded headers are trusted; false: none. */
export function readTrustedProxies(read: EnvironmentReader): string[] | false {
  const addresses = read.list(
    "TRUST_PROXY",
    "Proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted: addresses, CIDR ranges, `loopback`, `linklocal`, `uniquelocal`. They must replace the X-Forwarded-Proto that a client sent. X-Forwarded-Host is never read: behind a proxy that changes Host, name the public origin in `CORS_ORIGINS`.",
  );
  // Otherwise a client could choose its own address.
  if (addresses.includes("true")) read.refuse("TRUST_PROXY must not be true: name the proxies, such as 10.0.0.0/8");
  else if (!areRanges(addresses)) read.refuse("TRUST_PROXY must be addresses, CIDR ranges or their names");
  return addresses.length > 0 && addresses;
}

/** Reads PROXY_PROTOCOL_FROM: the addresses whose connections begin with a header of the PROXY protocol. */
export function readBalancers(read: EnvironmentReader): string[] {
  const addresses = read.list(
    "PROXY_PROTOCOL_FROM",
    "TCP balancers whose connections begin with a header of the PROXY protocol, version 2: addresses, CIDR ranges, or names as above. The header has the client's address.",
  );
  if (!areRanges(addresses)) read.refuse("PROXY_PROTOCOL_FROM must be addresses, CIDR ranges or their names");
  return addresses;
}

function areRanges(texts: string[]): boolean {
  try {
    compile(texts);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns whether an address is one of these, or in one of these ranges, named ones included. IPv4 may come as IPv6
 * (RFC 4291 §2.5.5.2).
 * @throws TypeError for a text that is neither an address nor a range
 */
export function compileRanges(ranges: readonly string[]): (address: string | undefined) => boolean {
  const contains = compile([...ranges]);
  return (address) => address !== undefined && contains(address, 0);
}
