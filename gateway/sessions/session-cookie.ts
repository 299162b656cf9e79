import { sessionHeader } from "../../services/platform/connect/identity.ts";

/**
 * The `ss-id` cookie, set or ended, for a service's session header. Max-Age without Expires: ServiceStack's client splits Set-Cookie on
 * commas, and dates have one.
 */
export function sessionCookie(header: string, isHttps: boolean): string {
  if (header === "ended") return "ss-id=; Max-Age=0; Path=/";
  const match = /^([\w.~+/=-]+); max-age=(\d+)$/.exec(header);
  // The value is a secret: it is not repeated.
  if (match === null) throw new Error(`A service sent a ${sessionHeader} header that cannot be read`);
  const [, id, maxAge] = match;
  return `ss-id=${id}; Max-Age=${maxAge}; Path=/; HttpOnly; SameSite=Lax${isHttps ? "; Secure" : ""}`;
}
