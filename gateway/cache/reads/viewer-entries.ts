import { create, type DescField, type Message } from "@bufbuild/protobuf";
import { LRUCache } from "lru-cache";
import { chunk } from "../../../services/platform/chunk.ts";
import { entryUsersHeader, viewerHeader, viewerVersionHeader } from "../../../services/platform/connect/identity.ts";
import { maxEntries } from "../../../services/platform/max-entries.ts";
import type { Deadline } from "../../http/limits/deadline.ts";
import { createViewerPage, rendering } from "../../http/replies/page.ts";
import { createBatcher } from "../batches/batcher.ts";
import type { EntryCounts } from "../cache-metrics.ts";
import { unlisted, type Viewer, viewerPart, viewerPartOf } from "../pages/viewer-part.ts";
import { absentToken } from "../tokens/absent-token.ts";
import type { FreshnessToken } from "../tokens/freshness-tokens.ts";
import { type EntryCache, type Join, joinEntries } from "./cached-entries.ts";
import type { ReadOperation } from "./cached-read.ts";
import type { JoinedSource } from "./joined-page.ts";
import { listOf, readList } from "./list-call.ts";
import { compileEntry, type EntryFields, type EntryJson } from "./load-entries.ts";

/**
 * The entries of one operation as viewers see them, cached by their users' tokens and by the viewer's relations to the users in them: one for all
 * viewers with the same relations. Only the service says which users an entry shows.
 */
export interface ViewerEntries {
  /** The keys of the entries in these states (`shownState`) for a viewer; undefined where the users of an entry are not known. */
  keysOf(states: readonly FreshnessToken[], viewer: Viewer): (string | undefined)[];
  /** The entry of a key, if it is in this process. */
  find(key: string): EntryJson | undefined;
  /** The entries of these users as the service makes them for a viewer, in the order of the names. Rejects with ConnectError. */
  load(viewerId: string, nameKeys: readonly string[], deadline: Deadline): Promise<readonly ViewerEntry[]>;
  /** Caches an entry. Returns its key for this viewer; undefined where it cannot be cached. */
  store(entry: ViewerEntry, viewer: Viewer): string | undefined;
  /** For the pages of lookups, by the keys of their entries. */
  joined: JoinedSource;
}

/** An entry as the service made it for a viewer. */
export interface ViewerEntry {
  /** undefined: no user has the name, or the user is suspended. */
  json: EntryJson | undefined;
  /** The viewer's state that it shows; undefined where the service does not say. */
  own: FreshnessToken | undefined;
  /** The ids of the users whose relations to the viewer it shows; undefined where the service does not say. */
  userIds: readonly string[] | undefined;
}

/** @param maxBytes of what is stored about entries, beside the entries themselves */
export function createViewerEntries(
  operation: Pick<ReadOperation, "name" | "method" | "call">,
  subjects: DescField,
  fields: EntryFields,
  join: Join,
  entries: EntryCache,
  maxBytes: number,
  counts: Pick<EntryCounts, "made">,
): ViewerEntries {
  /** Which users an entry shows, by the token of its user. */
  const shown = new LRUCache<FreshnessToken, EntryUsers>({
    maxSize: maxBytes,
    sizeCalculation: ({ ids, keyWithout }) => 250 + 2 * keyWithout.length + 40 * ids.length,
  });

  const list = listOf(operation.method);
  const readEntry = compileEntry(fields);

  async function call(viewerId: string, nameKeys: readonly string[], deadline: Deadline) {
    counts.made.value += nameKeys.length;
    const input: Message = create(operation.method.input, { [subjects.localName]: [...nameKeys] });
    const { wire, header } = await operation.call(input, { [viewerHeader]: viewerId }, deadline);
    const found = readList(wire, list, readEntry);
    const own = header.get(viewerVersionHeader) ?? undefined;
    const users = header
      .get(entryUsersHeader)
      ?.split(",")
      // Copies: parts of a text keep the whole text in memory.
      .map((ids) => ids.split(";").map((id) => `${BigInt(id)}`));
    const areNamed = users?.length === found.length;
    const entryOf = new Map(
      found.map(({ nameKey, json }, index) => [nameKey, { json, userIds: areNamed ? users[index] : undefined }]),
    );
    const absent = { json: undefined, userIds: undefined };
    return nameKeys.map((key): [string, ViewerEntry] => [key, { ...(entryOf.get(key) ?? absent), own }]);
  }

  const maxNames = Math.min(maxEntries(operation.method.input), maxInCall);
  /** Each entry once for all lookups of one viewer in the same turn of the event loop. A viewer waits for no other one's entries. */
  const ask = createBatcher<ViewerEntry, { viewerId: string; nameKey: string }>(
    async (keys, deadline) => {
      const namesOf = new Map<string, string[]>();
      for (const { viewerId, nameKey } of keys) {
        const names = namesOf.get(viewerId);
        if (names === undefined) namesOf.set(viewerId, [nameKey]);
        else names.push(nameKey);
      }
      const loads = new Map(
        [...namesOf].map(([viewerId, names]) => {
          const parts = chunk(names, maxNames).map((part) => call(viewerId, part, deadline));
          return [viewerId, Promise.all(parts).then((found) => new Map(found.flat()))] as const;
        }),
      );
      return keys.map(async ({ viewerId, nameKey }) => (await loads.get(viewerId))?.get(nameKey) as ViewerEntry);
    },
    { textOf: ({ viewerId, nameKey }) => `${viewerId} ${nameKey}` },
  );

  return {
    keysOf: (states, viewer) =>
      states.map((state) => {
        if (state === absentToken) return absentToken;
        const users = shown.get(state);
        const part = viewerPart(users?.ids, viewer);
        return part === undefined ? undefined : keyOf(state, part, users);
      }),
    find: (key) => entries.get(key),
    load: (viewerId, nameKeys, deadline) =>
      ask(
        nameKeys.map((nameKey) => ({ viewerId, nameKey })),
        deadline,
      ),
    store({ json, own, userIds }, viewer) {
      if (json === undefined || own === undefined) return undefined;
      const users = { ids: userIds ?? unlisted, keyWithout: `${json.token}|` };
      shown.set(json.token, users);
      const key = keyOf(json.token, viewerPartOf(userIds, own, viewer), users);
      entries.set(key, json);
      return key;
    },
    joined: {
      entriesOf: (keys) => joinEntries(keys, entries, join),
      pageOf: (bytes, state) => createViewerPage(bytes, "identity", state),
      // A state is not the digest of the bytes, so it changes with the rendering.
      prefix: `${rendering}.${operation.name}.`,
    },
  };
}

/** The users whose relations to the viewer an entry shows. */
interface EntryUsers {
  ids: readonly string[];
  /** The key of the entry for viewers without relations to them: one text for all lookups that store it. */
  keyWithout: string;
}

/** Names in one call: an entry shows at most two users, and a header has room for 250. */
const maxInCall = 125;

/** @param part depends on the viewer, see viewer-part.ts */
function keyOf(state: FreshnessToken, part: string, users: EntryUsers | undefined): string {
  return part === "" && users !== undefined ? users.keyWithout : `${state}|${part}`;
}
