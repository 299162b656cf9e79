import { create, type DescField } from "@bufbuild/protobuf";
import { chunk } from "../../../services/platform/chunk.ts";
import { maxEntries } from "../../../services/platform/max-entries.ts";
import { nameKey } from "../../../services/platform/rules/screen-name.ts";
import type { Deadline } from "../../http/limits/deadline.ts";
import { compileTranscoder } from "../../rendering/compile-transcoder.ts";
import { textsOf } from "../../rendering/wire-reader.ts";
import { askList } from "../batches/ask-list.ts";
import { type Ask, createBatcher } from "../batches/batcher.ts";
import type { EntryCounts } from "../cache-metrics.ts";
import type { FreshnessToken } from "../tokens/freshness-tokens.ts";
import type { ReadOperation } from "./cached-read.ts";
import { listCall } from "./list-call.ts";

/** An entry as JSON in UTF-8, with the state that it shows. */
export interface EntryJson {
  bytes: Buffer;
  token: FreshnessToken;
}

/** An entry of a reply, with the name of its user. */
export interface NamedEntry {
  nameKey: string;
  json: EntryJson;
}

/** The fields of an entry that have its user's name and its token. */
export interface EntryFields {
  subject: DescField;
  state: DescField;
}

/** Compiles the reading of an entry's bytes as they came. */
export function compileEntry({ subject, state }: EntryFields): (wire: Uint8Array) => NamedEntry {
  const transcode = compileTranscoder(state.parent);
  return (wire) => {
    const [name = "", token = ""] = textsOf(wire, subject.number, state.number);
    return { nameKey: nameKey(name), json: { bytes: transcode(wire), token } };
  };
}

/**
 * Loads entries by name key, each once for all lookups of a batch; undefined for an unknown name. Rejects with ConnectError.
 * @param subjects the request field with the names
 */
export function createLoadEntries(
  { method, transport }: ReadOperation,
  subjects: DescField,
  fields: EntryFields,
  counts: Pick<EntryCounts, "keysInBatch" | "made">,
): Ask<EntryJson | undefined> {
  const maxNames = maxEntries(method.input);
  const listEntries = listCall(method, transport, compileEntry(fields));
  const list = async (nameKeys: readonly string[], deadline: Deadline) => {
    const entries = await listEntries(create(method.input, { [subjects.localName]: [...nameKeys] }), deadline);
    const found = new Map(entries.map(({ nameKey, json }) => [nameKey, json]));
    return nameKeys.map((key) => found.get(key));
  };
  let lastMs = 0;
  const load = async (nameKeys: string[], deadline: Deadline) => {
    counts.keysInBatch.observe(nameKeys.length);
    counts.made.value += nameKeys.length;
    const start = performance.now();
    const size = Math.min(maxNames, Math.max(minInPart, Math.ceil(nameKeys.length / maxParts)));
    const parts = chunk(nameKeys, size).map((part) => askList(part, (names) => list(names, deadline)));
    const entries = (await Promise.all(parts)).flat();
    lastMs = performance.now() - start;
    return entries;
  };
  // Longer than the default: a thousand entries take longer than a token. Busy clients that were just answered ask again during the
  // wait, mostly for the same names as others: without the wait each batch would have the names of half of the clients.
  const size = { of: () => 1, max: maxInBatch };
  return createBatcher(load, { size, maxFull: 2, stalledMs: 250, gatherMs: () => lastMs * gatherPart });
}

/** Names in one batch, of which two may run at once: all names of 500 lookups together would block the event loop for 0.6 s. */
const maxInBatch = 8_000;

/** Parts of a long list that are asked for at once, so that the database, the service and this process work side by side. */
const maxParts = 4;
const minInPart = 100;

/** The part of a batch's time for which the next one waits. */
const gatherPart = 0.1;
