import type { Message } from "@bufbuild/protobuf";
import { viewerHeader, viewerStateHeader } from "../../services/platform/connect/identity.ts";
import { absentToken } from "../../services/platform/freshness/absent-token.ts";
import { viewerKey } from "../../services/platform/redis/freshness-key.ts";
import type { Deadline } from "../http/limits/deadline.ts";
import type { LoadViewerPage } from "../http/replies/page.ts";
import type { ReadCache, ReadOperation } from "./cached-read.ts";
import type { SeenState } from "./seen-states.ts";
import type { ViewerContent } from "./viewer-pages.ts";

/** Of which users a cached operation's replies show the state. */
export interface ShownUsers {
  /** The name keys of the users for whom a request asks, each once; undefined where that cannot be told by its names alone. */
  nameKeys(input: Message): readonly string[] | undefined;
  /** What else the request says: equal texts, equal requests but for the users. */
  which(input: Message): string;
  /** The states that a reply shows. */
  seen(wire: Uint8Array, input: Message): SeenState[];
}

/** Prepares the read of one request message for viewers; the result is called for each viewer and each request that equals it. */
export type ViewerRead = (input: Message) => LoadViewerPage;

/**
 * A cached operation for signed-in viewers: what each sees is cached under the viewer's token and those of the authors. The
 * service alone decides what a viewer may see: it made every page that is cached for a viewer in just this state. Refusals
 * are not cached.
 */
export function viewerRead(
  operation: ReadOperation,
  shown: ShownUsers,
  { tokensOf, noteSeen, viewerPages }: ReadCache,
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
    const tokens = new Map(seen.map(({ nameKey, token }) => [nameKey, token]));
    const keys = [...known.keys()];
    return { bytes, tokens: own === null ? undefined : keys.map((key) => tokens.get(key) ?? absentToken) };
  }

  return (input) => {
    const nameKeys = shown.nameKeys(input);
    const thing = `${operation.name}:${shown.which(input)}`;
    return async (viewer, deadline) => {
      const keys = nameKeys === undefined ? [] : [viewerKey(viewer), ...nameKeys];
      const tokens = await tokensOf(keys, deadline);
      const known = new Map(keys.map((key, index) => [key, tokens[index] as string]));
      const [own = ""] = tokens;
      // Without a state of its own a viewer's view cannot be told from a later one.
      if (own !== "" && own !== absentToken) {
        return viewerPages.page(thing, tokens, () => load(input, viewer, known, deadline));
      }
      return viewerPages.uncached(await load(input, viewer, known, deadline));
    };
  };
}
