/** A new invitation's code, and what is stored of it: both are made as a session's are, 256 random bits and SHA-256. */
export { newSessionId as newInvitation, sessionIdHash as invitationHash } from "./session-id.ts";
