import { unauthenticated } from "../errors.ts";

/** The header with the user on whose behalf a call is made: the user id of a signed-in caller. */
export const viewerHeader = "roost-viewer";

/**
 * A header of replies to a viewer: the viewer's version at the moment of the read. Not in the message, since it belongs to no part of
 * what is shown. Left out where the reply was read in several versions.
 */
export const viewerVersionHeader = "roost-viewer-version";

/**
 * A header of replies to a viewer: the ids, joined by commas, of all users whose relation to the viewer the reply depends on.
 * Left out where there are too many for a header.
 */
export const shownUsersHeader = "roost-shown-users";

/**
 * The header by which a service signs the caller in: `<session id>; max-age=<seconds>`, or out: `ended`.
 */
export const sessionHeader = "roost-session";

/** The header that marks a call as anonymous: a session that it makes stays signed out (contract §4.4). */
export const anonymousHeader = "roost-anonymous";

/** The header by which a service or the operator's tool names itself, for calls on its own behalf. */
export const callerHeader = "roost-caller";

/** The header with the service token, by which callers on other machines are admitted. */
export const serviceTokenHeader = "roost-service-token";

/** The header with the reference of the public request for which a call is made, which its client may have been told. */
export const referenceHeader = "roost-reference";

/** The header with the address of the client for whom a call is made. */
export const addressHeader = "roost-address";

/**
 * The viewer of a call; undefined for an anonymous one. The header is trusted: only callers on loopback and holders of the service
 * token reach an RPC (design §7).
 * @throws Unauthenticated when the header holds no user id
 */
export function viewerOf(header: Headers): bigint | undefined {
  const text = header.get(viewerHeader);
  if (text === null) return undefined;
  if (/^[1-9]\d{0,15}$/.test(text)) return BigInt(text);
  throw unauthenticated(`The header ${viewerHeader} holds no user id.`);
}

/** The address of the client for whom a call is made; undefined when the caller does not send one. */
export function addressOf(header: Headers): string | undefined {
  return header.get(addressHeader) ?? undefined;
}

/** The service, or the operator's tool, that names itself; undefined for a caller without a name. */
export function callerOf(header: Headers): string | undefined {
  const text = header.get(callerHeader) ?? "";
  return /^[\w.-]{1,64}$/.test(text) ? text : undefined;
}

/** The reference of the public request for which a call is made, as it is in the gateway's log; undefined for none. */
export function referenceOf(header: Headers): string | undefined {
  const text = header.get(referenceHeader) ?? "";
  return /^[0-9a-f]{16}$/.test(text) ? text : undefined;
}
