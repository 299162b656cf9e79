import { idEpoch } from "../../platform/rules/ids.ts";
import { ownId } from "../../platform/rules/own-id.ts";

/**
 * The first id to try for an imported status: its own if that was an id of a system like this one, else one of its original time
 * (design §4). Its last bits depend on the author and not on a sequence, so that the same import into an empty system gives the same
 * ids, and statuses of one moment stay in order.
 * @param node of this system's ids, 0 to 31
 */
export function importedId(
  origin: string,
  { authorId, originId, createdAt }: { authorId: bigint; originId: string; createdAt: Date },
  node: bigint,
): bigint {
  const own = ownId(originId, createdAt);
  if (own !== undefined) return own;
  const milliseconds = importedTime(origin, originId, createdAt).getTime() - idEpoch;
  return (BigInt(milliseconds) << 12n) | (node << 7n) | (authorId & 127n);
}

/**
 * When an imported status was written, in milliseconds where its id says so: Twitter's ids do ("snowflake", milliseconds since
 * 2010-11-04T01:42:54.657Z above 22 other bits). Dates in files have whole seconds.
 */
export function importedTime(origin: string, originId: string, createdAt: Date): Date {
  if (!snowflakes.has(origin) || !/^\d{10,19}$/.test(originId)) return createdAt;
  const milliseconds = Number(BigInt(originId) >> 22n) + twitterEpoch;
  const isThatSecond = Math.floor(milliseconds / 1_000) * 1_000 === createdAt.getTime();
  return isThatSecond ? new Date(milliseconds) : createdAt;
}

const snowflakes = new Set(["twitter", "sample"]);
const twitterEpoch = 1_288_834_974_657;
