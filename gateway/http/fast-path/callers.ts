import type { IncomingHttpHeaders } from "node:http";
import type { Deadline } from "../limits/deadline.ts";
import type { RememberedStates } from "../replies/reply-loaders.ts";

/** Finds the users of requests. */
export interface Callers {
  /** The session id that a request for a read presents, "" for none; undefined where its headers do not suffice to tell. */
  sessionOf(headers: IncomingHttpHeaders): string | undefined;
  /** The user id of a session, undefined for one that has ended. Rejects with ConnectError. */
  findUser(sessionId: string, deadline: Deadline): Promise<string | undefined>;
  /** A session whose user was found before, which may have ended since; undefined where it is not remembered. */
  findRemembered(sessionId: string): RememberedSession | undefined;
}

/** A session whose user was found before. */
export interface RememberedSession extends Pick<RememberedStates, "confirm"> {
  /** A session never changes its user. */
  readonly user: string;
  /** Whether it is still open by the remembered token: valid for a request once `confirm` has resolved. */
  isOpen(): boolean;
}
