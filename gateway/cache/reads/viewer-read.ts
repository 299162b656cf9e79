import type { Message } from "@bufbuild/protobuf";
import { shownUsersHeader, viewerHeader, viewerVersionHeader } from "../../../services/platform/connect/identity.ts";
import type { PublicError } from "../../http/errors/public-error.ts";
import type { Deadline } from "../../http/limits/deadline.ts";
import type { Encoding } from "../../http/replies/encoding.ts";
import type { Page, PageForm } from "../../http/replies/page.ts";
import type { ViewerReplies, ViewerReply } from "../../http/replies/reply-loaders.ts";
import type { ViewerContent } from "../pages/viewer-pages.ts";
import type { Viewer } from "../pages/viewer-part.ts";
import { absentToken, shownState } from "../tokens/absent-token.ts";
import { viewerKey } from "../tokens/list-tokens.ts";
import type { TokenList } from "../tokens/token-lists.ts";
import type { ReadCache, ReadOperation } from "./cached-read.ts";
import type { UnknownSubject } from "./unknown-subject.ts";

/** The users whose state the replies of a cached operation show. */
export interface ShownUsers {
  /** The name keys of the users for whom a request asks, each once; undefined where its names alone do not determine them. */
  nameKeys(input: Message): readonly string[] | undefined;
  /** Names the request without its users: requests with equal texts differ in nothing else. */
  which(input: Message): string;
  /** The states that a reply shows, by subject key. */
  seen(wire: Uint8Array, input: Message): Map<string, string>;
  /** Makes the cached refusal of a request for one user whose name may be unknown; undefined where a reply leaves such users out. */
  unknownSubject?: () => UnknownSubject;
}

/** Prepares the read of one request message for viewers; the result is called for each viewer and each request that equals it. */
export type ViewerRead = (input: Message) => ViewerReplies;

/**
 * A cached operation for signed-in viewers. A reply is cached by the tokens of its authors and by the viewer's relations to the users
 * in it, which are cached by the viewer's token. Only the service decides what a viewer may see: it made each page for a viewer with the
 * same relations.
 */
export function viewerRead(operation: ReadOperation, shown: ShownUsers, cache: ReadCache): ViewerRead {
  return (input) => {
    const nameKeys = shown.nameKeys(input);
    const resource = `${operation.name}:${shown.which(input)}`;
    const request: ViewerRequest = {
      operation,
      shown,
      cache,
      input,
      nameKeys,
      resource,
      unknown: shown.unknownSubject?.(),
    };
    return forLastViewer((viewerId) => new CachedViewerReply(request, viewerId));
  };
}

/** Stores the reply to the viewer who asked last: most requests come from the same viewer as the one before. */
export function forLastViewer(make: (viewerId: string) => ViewerReply & { readonly viewerId: string }): ViewerReplies {
  let last: ReturnType<typeof make> | undefined;
  return (viewerId) => {
    if (viewerId !== last?.viewerId) last = make(viewerId);
    return last;
  };
}

/** What all viewers of one request share. */
interface ViewerRequest {
  operation: ReadOperation;
  shown: ShownUsers;
  cache: ReadCache;
  input: Message;
  nameKeys: readonly string[] | undefined;
  /** What is asked for, without the users. */
  resource: string;
  unknown: UnknownSubject | undefined;
}

class CachedViewerReply implements ViewerReply {
  readonly viewerId: string;
  readonly states: TokenList;
  readonly #request: ViewerRequest;
  /** The name of the page that was shown last, and its tokens. */
  #last: { tokens: readonly string[]; name: string } | undefined;

  constructor(request: ViewerRequest, viewerId: string) {
    this.viewerId = viewerId;
    this.#request = request;
    this.states = request.cache.tokensOf(this.#keys());
  }

  find(tokens: readonly string[], form: PageForm): Page | PublicError | undefined {
    const { unknown, cache } = this.#request;
    const refusal = unknown?.refusal(authorToken(tokens));
    if (refusal !== undefined) return refusal;
    return tokens === this.#last?.tokens ? cache.viewerPages.find(this.#last.name, form) : undefined;
  }

  async load(
    encoding: Encoding,
    deadline: Deadline,
    asked: readonly string[] | Promise<readonly string[]> = this.states.read(deadline),
  ) {
    const tokens = await asked;
    const { unknown } = this.#request;
    const load = () => this.#loadIn(tokens, encoding, deadline);
    return unknown === undefined ? load() : unknown.refuseOr(authorToken(tokens), load);
  }

  /** The subjects of `states`, the viewer first. None where only the reply names them. */
  #keys(): string[] {
    const { nameKeys } = this.#request;
    return nameKeys === undefined ? [] : [viewerKey(this.viewerId), ...nameKeys];
  }

  async #loadIn(tokens: readonly string[], encoding: Encoding, deadline: Deadline): Promise<Page> {
    const { resource, cache } = this.#request;
    const [own = "", ...given] = tokens;
    const loadContent = () => this.#loadContent(deadline);
    // Without the viewer's state the key would be the same as that of a later reply.
    if (own === "" || own === absentToken) return cache.viewerPages.uncached(await loadContent());
    const viewer = await findViewer(this.viewerId, own, cache, deadline);
    const page = await cache.viewerPages.page(resource, given.map(shownState), viewer, encoding, loadContent);
    this.#last = { tokens, name: page.state };
    return page;
  }

  async #loadContent(deadline: Deadline): Promise<ViewerContent> {
    const { operation, shown, input, nameKeys = [] } = this.#request;
    const { wire, header } = await operation.call(input, { [viewerHeader]: this.viewerId }, deadline);
    const bytes = operation.render(wire);
    const seen = shown.seen(wire, input);
    const own = header.get(viewerVersionHeader);
    if (own === null) return { bytes, shows: undefined };
    const states = nameKeys.map((key) => seen.get(key) as string);
    return { bytes, shows: { own, states, userIds: header.get(shownUsersHeader)?.split(",") } };
  }
}

/**
 * A viewer in the state of this token or a later one. Rejects with ConnectError.
 * @param userId of the viewer
 */
export async function findViewer(
  userId: string,
  token: string,
  { findRelations }: Pick<ReadCache, "findRelations">,
  deadline: Deadline,
): Promise<Viewer> {
  const found = findRelations(userId, token, deadline);
  const relations = found instanceof Promise ? await found : found;
  if (relations === undefined || relations.token === token) return { token, relations };
  return { token: relations.token, relations };
}

/** The token of the only author of a reply. */
function authorToken([, token = ""]: readonly string[]): string {
  return token;
}
