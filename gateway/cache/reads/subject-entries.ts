import { type DescField, isFieldSet, type Message, ScalarType } from "@bufbuild/protobuf";
import type { Cache, CachedEntries } from "../../../proto/gen/contract/v1/annotations_pb.ts";
import { copyText } from "../../../services/platform/copy-text.ts";
import { maxEntries } from "../../../services/platform/max-entries.ts";
import { fieldNamed, type Values } from "../../../services/platform/rules/request-rules.ts";
import { isScreenName, nameKey } from "../../../services/platform/rules/screen-name.ts";
import { plainPage } from "../../http/replies/page.ts";
import type { AnonymousLoaders } from "../../http/replies/reply-loaders.ts";
import { JsonList } from "../../rendering/assembled-bytes.ts";
import { textsOf } from "../../rendering/wire-reader.ts";
import type { CacheCounts } from "../cache-metrics.ts";
import { absentToken } from "../tokens/absent-token.ts";
import { batchRead } from "./batch-read.ts";
import { cachedEntries, contentOf, createEntryCache, type Join } from "./cached-entries.ts";
import type { CachedReads, ReadCache, ReadOperation } from "./cached-read.ts";
import { digestOf } from "./joined-page.ts";
import { listOf, readList } from "./list-call.ts";
import { createLoadEntries } from "./load-entries.ts";
import { textField } from "./text-field.ts";
import { createViewerEntries } from "./viewer-entries.ts";
import { viewerLookup } from "./viewer-lookup.ts";
import { type ShownUsers, type ViewerRead, viewerRead } from "./viewer-read.ts";

/**
 * An operation whose reply is a list of entries, from cached entries: one round trip for all tokens, and a join. A lookup that
 * repeats an earlier one, of users who have not changed, is made of the cached entries.
 * @param readCache undefined: each entry comes from its service
 * @throws Error for an annotation that cannot be served
 */
export function subjectEntries(
  operation: ReadOperation,
  cache: Cache,
  kind: CachedEntries,
  counts: CacheCounts,
  readCache: ReadCache | undefined,
): CachedReads {
  const { method } = operation;
  const subjects = fieldNamed(method.input, cache.subject);
  if (subjects.fieldKind !== "list" || subjects.scalar !== ScalarType.STRING)
    throw new Error(`${subjects} is no list of texts`);
  const list = listOf(method);
  const subject = textField(list.message, kind.subject);
  const state = textField(list.message, cache.version);
  const entryCounts = counts.entriesOf(cache.name);
  const fields = { subject, state };
  const load = createLoadEntries(operation, subjects, fields, entryCounts);
  const join = compileJoin(operation, list);
  const others = method.input.fields.filter((field) => field !== subjects);
  const maxNames = maxEntries(method.input);
  // Tokens are stored by name, so a lookup that also has ids is not cached.
  const isCached = (names: readonly string[], input: Message) =>
    names.length > 0 &&
    names.length <= maxNames &&
    !others.some((field) => isFieldSet(input, field)) &&
    names.every(isScreenName);
  const namesIn = (input: Message) => (input as Values)[subjects.localName] as string[];
  const shown: ShownUsers = {
    nameKeys(input) {
      const names = namesIn(input);
      return isCached(names, input) ? keysOf(names) : undefined;
    },
    which: () => "",
    /** Also the absent states of names for which the reply has no entry. */
    seen(wire, input) {
      const seen = new Map(
        readList(wire, list, (entry) => {
          const [name = "", token = ""] = textsOf(entry, subject.number, state.number);
          return [nameKey(name), token];
        }),
      );
      for (const key of keysOf(namesIn(input).filter(isScreenName))) if (!seen.has(key)) seen.set(key, absentToken);
      return seen;
    },
  };
  const cached = readCache && cacheEntries(readCache);
  const prepare = (nameKeys: readonly string[]): AnonymousLoaders =>
    cached?.loaders(nameKeys) ?? {
      load: async (_form, deadline) => plainPage(contentOf(await load(nameKeys, deadline), join)),
      local: undefined,
    };
  const localPageOf = (input: Message) => {
    const nameKeys = shown.nameKeys(input);
    return nameKeys && cached?.localPage(nameKeys);
  };

  return {
    anonymous(input) {
      const nameKeys = shown.nameKeys(input);
      return nameKeys === undefined ? uncached(input) : prepare(nameKeys);
    },
    viewer: cached?.viewer,
    batch: readCache && batchRead(localPageOf, readCache),
  };

  function cacheEntries(cache: ReadCache) {
    // An entry takes 2 KB; which users it shows, some 400 bytes.
    const aboutBytes = Math.ceil(cache.entryBytes / 6);
    const entryCache = createEntryCache(cache.entryBytes - aboutBytes);
    const viewerEntries = createViewerEntries(operation, subjects, fields, join, entryCache, aboutBytes, entryCounts);
    const lookups = { entries: viewerEntries, join, cache, counts: entryCounts };
    const page = viewerRead(operation, shown, cache);
    const viewer: ViewerRead = (input) => {
      const nameKeys = shown.nameKeys(input) ?? [];
      return nameKeys.length > 1 ? viewerLookup(lookups, nameKeys) : page(input);
    };
    return { ...cachedEntries(operation.name, load, join, entryCache, viewerEntries, cache, entryCounts), viewer };
  }

  /** Asks the service each time. The answer names its state, so the entity tag needs no hash of its bytes. */
  function uncached(input: Message): AnonymousLoaders {
    return {
      async load(_form, deadline) {
        const { wire } = await operation.call(input, {}, deadline);
        const bytes = operation.render(wire);
        const seen = shown.seen(wire, input);
        return plainPage({ bytes, state: digestOf([...seen.values()]) });
      },
      local: undefined,
    };
  }
}

function compileJoin({ emptyReply }: ReadOperation, list: DescField): Join {
  // The text of a reply before its entries, and after them.
  const [head, tail] = emptyReply
    .toString()
    .split(/(?<=\[)(?=\])/)
    .map((text) => Buffer.from(text));
  if (head === undefined || tail === undefined) throw new Error(`${list} is not always written`);
  return (entries) => new JsonList(entries, head, tail);
}

/** Each once. */
function keysOf(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => copyText(nameKey(name))))];
}
