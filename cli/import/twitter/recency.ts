import { refusalReason } from "../../errors.ts";
import { isObject, type Json } from "../../json/json.ts";
import { createdAtOf } from "./created-at.ts";
import type { FileRecord } from "./embedded-records.ts";
import { compareIds, fieldOf, requiredIdOf } from "./fields.ts";

/** How recent an item is, by the newest status in it. */
export interface Recency {
  /** The place of the source among all sources. */
  source: number;
  /** Milliseconds since 1970 of the item's own status; -Infinity when it has none. */
  ms: number;
  /** The id of that status; "" when it has none. */
  id: string;
}

/** The recency of an item and of all records that are embedded in it. */
export function recencyOf(source: number, top: FileRecord): Recency {
  const status = top.kind === "status" ? top.value : top.kind === "user" ? statusOf(top.value) : undefined;
  try {
    if (isObject(status)) return { source, ms: createdAtOf(status).ms, id: requiredIdOf(status, "id") };
  } catch (error) {
    // A broken status is refused when it is parsed; the records in it may still be valid.
    refusalReason(error);
  }
  return { source, ms: Number.NEGATIVE_INFINITY, id: "" };
}

/**
 * Whether `next`, which comes later in the same sources, replaces `last`. A later source wins, so that
 * importing two files at once gives the same as importing them one after the other. Within a source the newer status wins, then the later item.
 */
export function replaces(next: Recency, last: Recency): boolean {
  if (next.source !== last.source) return next.source > last.source;
  if (next.ms !== last.ms) return next.ms > last.ms;
  return compareIds(next.id, last.id) >= 0;
}

function statusOf(user: Json): Json | undefined {
  return isObject(user) ? fieldOf(user, "status") : undefined;
}
