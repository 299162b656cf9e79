import { isIPv4, isIPv6 } from "node:net";

/**
 * The key under which an address is counted: an IPv4 address itself, also one inside an IPv6 address, or the /64 of an IPv6 address, the
 * smallest network that a customer gets. Some proxies add the port. Any other text, such as "unknown" (RFC 7239 §6), is counted as it is;
 * undefined for "".
 */
export function addressKey(address: string): string | undefined {
  const [, inBrackets, beforePort] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(address) ?? [];
  const [plain = ""] = (inBrackets ?? beforePort ?? address).split("%", 1);
  if (isIPv4(plain)) return plain;
  if (!isIPv6(plain)) return address === "" ? undefined : address;
  const groups = groupsOf(plain);
  const beginsWith = (prefix: readonly number[]) => prefix.every((group, index) => groups[index] === group);
  const beforeIPv4 = embeddings.find(beginsWith);
  if (beforeIPv4) {
    const [high = 0, low = 0] = groups.slice(beforeIPv4.length);
    return [high >> 8, high & 255, low >> 8, low & 255].join(".");
  }
  const text = groups.map((group) => group.toString(16));
  return beginsWith(localTranslation) ? text.join(":") : `${text.slice(0, 4).join(":")}::/64`;
}

/** The groups before an IPv4 address in an IPv6 address. */
const embeddings = [
  // IPv4-mapped (RFC 4291 §2.5.5.2).
  [0, 0, 0, 0, 0, 0xffff],
  // IPv4-translated (RFC 2765 §2.1).
  [0, 0, 0, 0, 0xffff, 0],
  // NAT64 and SIIT with the well-known prefix (RFC 6052 §2.1): all IPv4 clients of a translator are in one /64.
  [0x64, 0xff9b, 0, 0, 0, 0],
  // 6to4 (RFC 3056 §2): who has an IPv4 address has all 65,536 networks of its /48.
  [0x2002],
];

/**
 * For the translators of a local network (RFC 8215). Where the IPv4 address begins is for the network to choose, but each IPv4 address has
 * one IPv6 address.
 */
const localTranslation = [0x64, 0xff9b, 1];

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
