import type { Message } from "@bufbuild/protobuf";
import { shownUsersHeader, viewerHeader, viewerStateHeader } from "../../../services/platform/connect/identity.ts";
import { absentToken, shownState } from "../../../services/platform/freshness/absent-token.ts";
import { viewerKey } from "../../../services/platform/redis/freshness-key.ts";
import type { Deadline } from "../../http/limits/deadline.ts";
import type { ViewerLoaders } from "../../http/replies/page-loaders.ts";
import type { Viewer, ViewerContent } from "../pages/viewer-pages.ts";
import type { SeenState } from "../tokens/seen-states.ts";
import type { TokenList } from "../tokens/token-lists.ts";
import type { ReadCache, ReadOperation } from "./cached-read.ts";

/** The users whose state the replies of a cached operation show. */
export interface ShownUsers {
  /** The name keys of the users for whom a request asks, each once; undefined where that cannot be told by its names alone. */
  nameKeys(input: Message): readonly string[] | undefined;
  /** The rest of the request: equal texts, equal requests but for the users. */
  which(input: Message): string;
  /** The states that a reply shows. */
  seen(wire: Uint8Array, input: Message): SeenState[];
}

/** Prepares the read of one request message for viewers; the result is called for each viewer and each request that equals it. */
export type ViewerRead = (input: Message) => ViewerLoaders;

/**
 * A cached operation for signed-in viewers. A reply is cached by the tokens of its authors and by the viewer's relations to the users
 * in it, which are known by the viewer's token. The service alone decides what a viewer may see: it made every page for a viewer
 * with the same relations.
 */
export function viewerRead(
  operation: ReadOperation,
  shown: ShownUsers,
  { tokensOf, noteSeen, viewerPages, findRelations }: ReadCache,
): ViewerRead {
  /** @param known the tokens that this read has found, by subject key */
  async function load(
    input: Message,
    viewer: string,
    known: ReadonlyMap<string, string>,
    deadline: Deadline,
  ): Promise<ViewerContent> {
    const { wire, header } = await operation.call(input, { [viewerHeader]: viewer }, deadline);
    const bytes = operation.render(wire);
    const seen = shown.seen(wire, input);
    const own = header.get(viewerStateHeader);
    if (own !== null) seen.push({ nameKey: viewerKey(viewer), token: own });
    const changed = seen.filter(({ nameKey, token }) => known.get(nameKey) !== token);
    if (changed.length > 0) await noteSeen(changed, deadline);
    if (own === null) return { bytes, shows: undefined };
    const tokens = new Map(seen.map(({ nameKey, token }) => [nameKey, token]));
    const [, ...nameKeys] = known.keys();
    const states = nameKeys.map((key) => tokens.get(key) ?? absentToken);
    return { bytes, shows: { own, states, userIds: header.get(shownUsersHeader)?.split(",") } };
  }

  /** The viewer in the state of this token or a later one. No gateway answers a later read with an older state. */
  async function findViewer(viewer: string, token: string, deadline: Deadline): Promise<Viewer> {
    const found = findRelations(viewer, token, deadline);
    const relations = found instanceof Promise ? await found : found;
    if (relations === undefined || relations.token === token) return { token, relations };
    await noteSeen([{ nameKey: viewerKey(viewer), token: relations.token }], deadline);
    return { token: relations.token, relations };
  }

  return (input) => {
    const nameKeys = shown.nameKeys(input);
    const thing = `${operation.name}:${shown.which(input)}`;
    const keysFor = (viewer: string) => (nameKeys === undefined ? [] : [viewerKey(viewer), ...nameKeys]);
    // Mostly the viewer of the last request asks again.
    let last: { viewer: string; tokens: TokenList } | undefined;
    const tokensFor = (viewer: string, deadline: Deadline) => {
      if (viewer !== last?.viewer) last = { viewer, tokens: tokensOf(keysFor(viewer)) };
      return last.tokens.read(deadline);
    };
    return {
      tokens: tokensFor,
      async page(viewer, deadline, asked = tokensFor(viewer, deadline)) {
        const tokens = await asked;
        const [own = "", ...given] = tokens;
        const states = given.map(shownState);
        const loadPage = () => {
          const known = new Map(keysFor(viewer).map((key, index) => [key, tokens[index] as string]));
          return load(input, viewer, known, deadline);
        };
        // Without the viewer's state this reply could not be told from a later one.
        if (own === "" || own === absentToken) return viewerPages.uncached(await loadPage());
        return viewerPages.page(thing, states, await findViewer(viewer, own, deadline), loadPage);
      },
    };
  };
}
