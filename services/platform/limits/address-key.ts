import { isIPv4, isIPv6 } from "node:net";

/**
 * The key under which an address is counted: an IPv4 address itself, or the /64 of an IPv6 address, the smallest network that a customer
 * gets. Some proxies add the port. Any other text, such as "unknown" (RFC 7239 §6), is counted as it is; undefined for "".
 */
export function addressKey(address: string): string | undefined {
  const [, inBrackets, beforePort] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(address) ?? [];
  const [plain = ""] = (inBrackets ?? beforePort ?? address).split("%", 1);
  if (isIPv4(plain)) return plain;
  if (!isIPv6(plain)) return address === "" ? undefined : address;
  const groups = groupsOf(plain);
  const [, , , , , marker, high = 0, low = 0] = groups;
  // An IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2).
  if (marker === 0xffff && groups.slice(0, 5).every((group) => group === 0)) {
    return [high >> 8, high & 255, low >> 8, low & 255].join(".");
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")}::/64`;
}

/** The eight groups of a valid IPv6 address. */
function groupsOf(address: string): number[] {
  // The URL parser writes every address in one form, without dots and leading zeros.
  const text = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = "", tail = ""] = text.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0");
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16));
}
