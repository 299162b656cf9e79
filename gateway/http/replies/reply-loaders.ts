import type { PublicError } from "../errors/public-error.ts";
import type { Deadline } from "../limits/deadline.ts";
import type { Page, PageForm } from "./page.ts";

/**
 * Gives the reply of one understood request to anonymous callers. Rejects with ConnectError, and with a PublicError where that
 * refusal is cached, or with LeftToRouter.
 * @param tokens the states to show, where they were read for this request already and no reply in these is in this process
 */
export type LoadPage = (form: PageForm, deadline: Deadline, tokens?: readonly string[]) => Page | Promise<Page>;

/** The page of a batch is to be made by the router, which bounds what all batches load. */
export class LeftToRouter extends Error {}

/** The states that a reply shows, as far as they are remembered. */
export interface RememberedStates {
  /**
   * Resolves when `remembered` is valid for a request that came before this call; undefined where a state is not remembered, so that the
   * reply has to be loaded. Rejects as a load does.
   * @param others states to confirm by the same command; what forgets those has to forget these too (cached-operations.ts)
   */
  confirm(deadline: Deadline, others?: RememberedStates): Promise<unknown> | undefined;
  /** undefined: one is missing, or may not be used. */
  remembered(): readonly string[] | undefined;
}

/** The reply of one understood request to some callers, as far as it is in this process. */
export interface LocalReply {
  states: RememberedStates;
  /** The reply that shows these states; undefined: it has to be loaded. */
  find(states: readonly string[], form: PageForm): Page | PublicError | undefined;
}

/** The ways to give anonymous callers the reply of one understood request. */
export interface AnonymousLoaders {
  load: LoadPage;
  /** Costs less than a load; undefined where nothing is cached. */
  local: LocalReply | undefined;
}

/** The reply of one understood request to one viewer, in plain bytes. Its promises reject with ConnectError. */
export interface ViewerReply extends LocalReply {
  states: RememberedStates & {
    /** Asks for the states that the reply is to show. Callers do not see them, so this may run before the caller is known. */
    read(deadline: Deadline): Promise<readonly string[]>;
  };
  /** @param states what was read for this request, or is remembered and confirmed */
  load(deadline: Deadline, states?: readonly string[] | Promise<readonly string[]>): Promise<Page>;
}

/** The replies of one understood request to viewers. @param viewer a user id */
export type ViewerReplies = (viewer: string) => ViewerReply;

/** The ways to load what one understood request asks for. */
export interface ReplyLoaders {
  anonymous: AnonymousLoaders;
  /** undefined where nothing is cached, and for a batch. */
  readonly viewer: ViewerReplies | undefined;
  /** How many requests a batch has; undefined for a single request. */
  items?: number;
}
