import { refusalReason } from "../errors.ts";
import { isObject, type Json } from "../json/json.ts";
import { JsonFault } from "../json/read-elements.ts";
import { addStatus, addUser, type Collection, createCollection, type Place, placeName } from "./collection.ts";
import type { ImportContext } from "./results.ts";
import type { ImportSource, Item } from "./source.ts";
import { type FileRecord, isAuthorless, recordsIn } from "./twitter/embedded-records.ts";
import { referenceOf } from "./twitter/fields.ts";
import { parseStatus } from "./twitter/parse-status.ts";
import { type Recency, recencyOf } from "./twitter/recency.ts";

/** Reads all sources to their end and keeps the most recent record of each user and status. Broken ones are reported. */
export async function collect(ctx: ImportContext, sources: readonly ImportSource[]): Promise<Collection> {
  const collection = createCollection();
  let done = 0;
  for (const [index, source] of sources.entries()) {
    try {
      for await (const items of source.items()) {
        for (const item of items) collectItem(ctx, collection, item, source.name, index);
        done += items.length;
        const share = source.progress && (index + source.progress()) / sources.length;
        ctx.report.progress({ phase: "reading", done, share });
      }
    } catch (error) {
      if (!(error instanceof JsonFault)) throw error;
      ctx.results.refuse(undefined, `${source.name}${error.path}`, error.reason);
    }
  }
  return collection;
}

function collectItem(ctx: ImportContext, collection: Collection, item: Item, source: string, index: number): void {
  let records: ReturnType<typeof recordsIn>;
  try {
    records = recordsIn(item);
  } catch (error) {
    ctx.results.refuse(undefined, `${source}${item.path}`, refusalReason(error));
    return;
  }
  const recency = recencyOf(index, records[0]);
  for (const record of records) add(ctx, collection, record, { source, path: record.path }, recency);
}

function add(ctx: ImportContext, collection: Collection, record: FileRecord, place: Place, recency: Recency): void {
  const { kind, value, author, embedded = false } = record;
  try {
    if (kind === "user") addUser(collection, value, idOf(value), place, recency);
    else if (isAuthorless(record)) collection.authorless.add(idOf(value) || placeName(place));
    else if (kind === "status")
      addStatus(collection, ctx.spool, parseStatus(value, author), { embedded, place, recency });
    else ctx.results.refuse(undefined, placeName(place), "it is neither a status nor a user");
  } catch (error) {
    const reason = refusalReason(error);
    ctx.results.refuse(kind, placeName(place), reason);
    const id = kind === "user" ? idOf(value) : "";
    if (id !== "") collection.unreadable.set(id, reason);
  }
}

/** The id of a record that may be invalid otherwise; "" without a valid id. */
function idOf(value: Json): string {
  try {
    return isObject(value) ? referenceOf(value, "id") : "";
  } catch (error) {
    refusalReason(error);
    return "";
  }
}
