/** Makes an invitation's code, and the hash that is stored of it, as for a session: 256 random bits and SHA-256. */
export { newSessionId as newInvitation, sessionIdHash as invitationHash } from "./session-id.ts";
