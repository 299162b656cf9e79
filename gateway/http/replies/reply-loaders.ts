import type { PublicError } from "../errors/public-error.ts";
import type { Deadline } from "../limits/deadline.ts";
import type { Encoding } from "./encoding.ts";
import type { Page, PageForm } from "./page.ts";

/**
 * Loads the reply to one bound request for anonymous callers. Rejects with ConnectError, with the PublicError of a cached refusal, or
 * with NeedsRouter.
 * @param tokens the states to show, where they were already read for this request and there is no local reply in these states
 */
export type LoadPage = (form: PageForm, deadline: Deadline, tokens?: readonly string[]) => Page | Promise<Page>;

/** Thrown for a batch that the router has to answer, since it bounds what all batches load. */
export class NeedsRouter extends Error {}

/** The remembered states of the subjects of a reply. */
export interface RememberedStates {
  /**
   * Resolves when `remembered` is valid for a request that came before this call; undefined where a state is not remembered and the reply
   * has to be loaded. Rejects as a load does.
   * @param others states to confirm by the same command; whenever those are forgotten, these have to be as well (cached-operations.ts)
   */
  confirm(deadline: Deadline, others?: RememberedStates): Promise<unknown> | undefined;
  /** undefined: one is missing, or may not be used. */
  remembered(): readonly string[] | undefined;
}

/** The reply to one bound request for some callers, if it is in this process. */
export interface LocalReply {
  states: RememberedStates;
  /** The reply that shows these states; undefined: it has to be loaded. */
  find(states: readonly string[], form: PageForm): Page | PublicError | undefined;
}

/** The ways to get the reply to one bound request for anonymous callers. */
export interface AnonymousLoaders {
  load: LoadPage;
  /** Costs less than a load; undefined where nothing is cached. */
  local: LocalReply | undefined;
}

/** The reply to one bound request for one viewer. Its promises reject with ConnectError. */
export interface ViewerReply extends LocalReply {
  states: RememberedStates & {
    /** Reads the states that the reply has to show. This may run before the session is checked: the client never gets them. */
    read(deadline: Deadline): Promise<readonly string[]>;
  };
  /** @param states those that were read, or confirmed, for this request */
  load(encoding: Encoding, deadline: Deadline, states?: readonly string[] | Promise<readonly string[]>): Promise<Page>;
}

/** The replies to one bound request for viewers. @param viewerId a user id */
export type ViewerReplies = (viewerId: string) => ViewerReply;

/** The ways to get the reply to one bound request. */
export interface ReplyLoaders {
  anonymous: AnonymousLoaders;
  /** undefined where nothing is cached. */
  readonly forViewer: ViewerReplies | undefined;
  /** How many requests a batch has; undefined for a single request. */
  readonly items?: number;
  /** How many users its lists name; in a batch without the first one of each item, which `items` counts. */
  readonly listed: number;
}
