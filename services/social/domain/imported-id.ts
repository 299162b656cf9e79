import { idEpoch } from "../../platform/rules/ids.ts";
import { ownId } from "../../platform/rules/own-id.ts";
import { importedTime } from "./imported-time.ts";

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
