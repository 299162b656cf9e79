import { BlockList, isIP } from "node:net";
import type { EnvironmentReader } from "../../services/platform/environment.ts";

/** Reads TRUST_PROXY: whose X-Forwarded headers are believed, as proxy-addr takes them; false: nobody's. */
export function readTrustedProxies(read: EnvironmentReader): string[] | boolean {
  const addresses = read.list(
    "TRUST_PROXY",
    "Proxies whose X-Forwarded headers are believed: addresses, CIDR ranges, `loopback`, `linklocal`, `uniquelocal`. `true`: everybody, for a gateway that only its proxy can reach.",
  );
  if (addresses.length === 0) return false;
  if (addresses.length === 1 && addresses[0] === "true") return true;
  if (!addresses.every(isRange)) read.refuse("TRUST_PROXY must be addresses, CIDR ranges or their names, or true");
  return addresses;
}

/** Reads PROXY_PROTOCOL_FROM: whose connections begin with a header of the PROXY protocol. */
export function readBalancers(read: EnvironmentReader): string[] {
  const addresses = read.list(
    "PROXY_PROTOCOL_FROM",
    "Balancers of TCP whose connections begin with a header of the PROXY protocol, version 2: addresses, CIDR ranges, or their names as above. They tell the client's address.",
  );
  if (!addresses.every(isRange)) read.refuse("PROXY_PROTOCOL_FROM must be addresses, CIDR ranges or their names");
  return addresses;
}

/** Ranges that have a name, as proxy-addr has them. */
const named: Readonly<Record<string, readonly string[]>> = {
  loopback: ["127.0.0.1/8", "::1/128"],
  linklocal: ["169.254.0.0/16", "fe80::/10"],
  uniquelocal: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
};

/** Whether a text is an address, a range of them, or a name that proxy-addr knows. */
function isRange(text: string): boolean {
  return Object.hasOwn(named, text) || parseRange(text) !== undefined;
}

/** An address, or a range of them as CIDR has it (RFC 4632); undefined for anything else. */
function parseRange(text: string): { address: string; bits: number; family: "ipv4" | "ipv6" } | undefined {
  const [address = "", bits, ...rest] = text.split("/");
  const family = familyOf(address);
  if (family === undefined || rest.length > 0) return undefined;
  const most = family === "ipv4" ? 32 : 128;
  if (bits === undefined) return { address, bits: most, family };
  return /^\d{1,3}$/.test(bits) && Number(bits) <= most ? { address, bits: Number(bits), family } : undefined;
}

function familyOf(address: string): "ipv4" | "ipv6" | undefined {
  const version = isIP(address);
  return version === 0 ? undefined : version === 4 ? "ipv4" : "ipv6";
}

/** Tells of an address whether it is one of these, or in one of these ranges. IPv4 may come as IPv6 (RFC 4291 §2.5.5.2). */
export function compileRanges(ranges: readonly string[]): (address: string | undefined) => boolean {
  const list = new BlockList();
  for (const text of ranges.flatMap((text) => named[text] ?? [text])) {
    const range = parseRange(text);
    if (range === undefined) throw new Error(`${text} is no address and no range`);
    list.addSubnet(range.address, range.bits, range.family);
  }
  return (address = "") => {
    const family = familyOf(address);
    // A BlockList takes IPv4 as IPv6 by itself.
    return family !== undefined && list.check(address, family);
  };
}
