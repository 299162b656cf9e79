import { type CollectedStatus, type Collection, placeName } from "./collection.ts";
import type { ImportContext, ImportResults } from "./results.ts";
import { type SpooledStatus, sendSpooled } from "./send-spooled.ts";
import type { Author } from "./send-users.ts";
import { compareIds } from "./twitter/fields.ts";

/**
 * Sends every status whose author was imported, in ascending order of the ids at the origin, so that replies find their targets.
 * Embedded statuses of authors who are in no file are left out and counted.
 */
export async function sendStatuses(
  ctx: ImportContext,
  collection: Collection,
  authors: Map<string, Author>,
): Promise<void> {
  const { results } = ctx;
  const { statuses } = collection;
  results.leaveOut(withoutUser, [...collection.authorless].filter((id) => !statuses.has(id)).length);
  const earlier = collection.edits.earlier((id) => statuses.has(id));
  for (const id of earlier) statuses.delete(id);
  results.leaveOut("earlier versions of edited statuses", earlier.length);
  for (const fields of collection.defaulted.values()) results.noteDefaulted(fields);
  await sendSpooled(ctx, attributedStatuses(ctx.results, collection, authors), collection.statuses.size);
}

function* attributedStatuses(
  results: ImportResults,
  { statuses, unreadable }: Collection,
  authors: Map<string, Author>,
): Generator<SpooledStatus> {
  for (const id of [...statuses.keys()].sort(compareIds)) {
    const status = statuses.get(id) as CollectedStatus;
    const author = authors.get(status.author) ?? { refusal: unreadable.get(status.author) };
    const place = () => placeName(status.place);
    if ("userId" in author) yield { slot: status, authorId: author.userId, place };
    else if (status.embedded && author.refusal === undefined) results.leaveOut(withoutUser, 1);
    else results.refuse("status", place(), refusalOf(status.author, author.refusal));
  }
}

const withoutUser = "embedded statuses without their user";

function refusalOf(author: string, refusal: string | undefined): string {
  if (refusal === undefined) return `its author ${author} is in no file`;
  return `its author ${author} was refused: ${refusal}`;
}
