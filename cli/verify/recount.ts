import type { Client } from "@connectrpc/connect";
import type { Drift, VerifyService } from "../../proto/gen/social/v1/verify_service_pb.ts";

/** How much was recounted. */
export interface Recounted {
  profiles: number;
  statuses: number;
  drifts: number;
}

/**
 * Recounts every counter, page by page, and reports each that is wrong.
 */
export async function recount(
  verify: Client<typeof VerifyService>,
  report: (drift: Drift) => void,
): Promise<Recounted> {
  const done: Recounted = { profiles: 0, statuses: 0, drifts: 0 };
  const note = (drifts: Drift[]) => {
    done.drifts += drifts.length;
    for (const drift of drifts) report(drift);
  };
  for (let afterUserId: bigint | undefined = 0n; afterUserId !== undefined; ) {
    const page = await verify.recountProfiles({ afterUserId });
    note(page.drifts);
    done.profiles += page.recounted;
    afterUserId = page.nextAfterUserId || undefined;
  }
  for (let more = true, after: Awaited<ReturnType<typeof verify.recountStatuses>>["nextAfter"]; more; ) {
    const page = await verify.recountStatuses({ after });
    note(page.drifts);
    done.statuses += page.recounted;
    after = page.nextAfter;
    more = after !== undefined;
  }
  return done;
}
