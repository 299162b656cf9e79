import { isIP } from "node:net";
import type { EnvironmentReader } from "../services/platform/environment.ts";

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

/** Whether a text is an address, a range of them (RFC 4632), or a name that proxy-addr knows. */
function isRange(text: string): boolean {
  if (["loopback", "linklocal", "uniquelocal"].includes(text)) return true;
  const [address = "", bits, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
