import type { Message } from "@bufbuild/protobuf";
import { shownUsersHeader, viewerHeader, viewerStateHeader } from "../../../services/platform/connect/identity.ts";
import { absentToken, shownState } from "../../../services/platform/freshness/absent-token.ts";
import { viewerKey } from "../../../services/platform/redis/freshness-key.ts";
import type { Deadline } from "../../http/limits/deadline.ts";
import type { ViewerReplies, ViewerReply } from "../../http/replies/page-loaders.ts";
import type { Viewer, ViewerContent } from "../pages/viewer-pages.ts";
import type { SeenState } from "../tokens/seen-states.ts";
import type { ReadCache, ReadOperation } from "./cached-read.ts";
import type { UnknownSubject } from "./unknown-subject.ts";

/** The users whose state the replies of a cached operation show. */
export interface ShownUsers {
  /** The name keys of the users for whom a request asks, each once; undefined where that cannot be told by its names alone. */
  nameKeys(input: Message): readonly string[] | undefined;
  /** The rest of the request: equal texts, equal requests but for the users. */
  which(input: Message): string;
  /** The states that a reply shows. */
  seen(wire: Uint8Array, input: Message): SeenState[];
  /** Makes the cached refusal of a request for one user whose name may be unknown; undefined where a reply leaves such users out. */
  unknownSubject?: () => UnknownSubject;
}

/** Prepares the read of one request message for viewers; the result is called for each viewer and each request that equals it. */
export type ViewerRead = (input: Message) => ViewerReplies;

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
    const unknown = shown.unknownSubject?.();
    const replyTo = (viewer: string): ViewerReply => {
      const keys = nameKeys === undefined ? [] : [viewerKey(viewer), ...nameKeys];
      const states = tokensOf(keys);
      /** The page that was shown last, and in which states. */
      let lastPage: { tokens: readonly string[]; name: string } | undefined;
      const loadIn = async (tokens: readonly string[], deadline: Deadline) => {
        const [own = "", ...given] = tokens;
        const known = () => new Map(keys.map((key, index) => [key, tokens[index] as string]));
        const loadPage = () => load(input, viewer, known(), deadline);
        // Without the viewer's state this reply could not be told from a later one.
        if (own === "" || own === absentToken) return viewerPages.uncached(await loadPage());
        const found = await findViewer(viewer, own, deadline);
        const page = await viewerPages.page(thing, given.map(shownState), found, loadPage);
        lastPage = { tokens, name: page.state };
        return page;
      };
      return {
        states,
        // The viewer's own token comes first.
        find: (tokens) =>
          unknown?.refusal(tokens[1] ?? "") ??
          (tokens === lastPage?.tokens ? viewerPages.find(lastPage.name) : undefined),
        async load(deadline, asked = states.read(deadline)) {
          const tokens = await asked;
          const show = () => loadIn(tokens, deadline);
          return unknown === undefined ? show() : unknown.refuseOr(tokens[1] ?? "", show);
        },
      };
    };
    // Mostly the viewer of the last request asks again.
    let last: { viewer: string; reply: ViewerReply } | undefined;
    return (viewer) => {
      if (viewer !== last?.viewer) last = { viewer, reply: replyTo(viewer) };
      return last.reply;
    };
  };
}
