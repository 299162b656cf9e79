import { setTimeout as sleep } from "node:timers/promises";
import type { DriftRow, Recount } from "../../store/verify/recount.ts";

/**
 * Recounts a page. If something differs, recounts twice more, and reports only what differs each time: on a cluster a write
 * commits on one server a moment before the other, and a recount between the two sees half of it.
 */
export async function confirm<Place>(recount: () => Promise<Recount<Place>>): Promise<Recount<Place>> {
  const first = await recount();
  let { drifts } = first;
  for (const pause of pauses) {
    if (drifts.length === 0) break;
    await sleep(pause);
    const earlier = new Set(drifts.map(keyOf));
    drifts = (await recount()).drifts.filter((drift) => earlier.has(keyOf(drift)));
  }
  return { ...first, drifts };
}

/** Milliseconds. */
const pauses = [100, 400];

function keyOf({ user_id, status_id, field }: DriftRow): string {
  return `${user_id} ${status_id} ${field}`;
}
