import type { SocialContext } from "./context.ts";
import { largestId } from "./domain/timeline-page.ts";
import { listProfiles } from "./store/profiles/list-profiles.ts";
import { loadTimeline } from "./store/statuses/load-timeline.ts";
import { listRowVersions } from "./store/versions/list-row-versions.ts";

/**
 * Runs the statements of anonymous reads once, for no user, so that the first requests after a start find them prepared and Postgres's
 * catalogs loaded. One after the other, so that one connection prepares them all. Never rejects: later requests report the failure.
 */
export function warmUp(ctx: Pick<SocialContext, "pool" | "isCluster">): Promise<void> {
  return runAll(ctx).catch(() => {});
}

async function runAll({ pool, isCluster }: Pick<SocialContext, "pool" | "isCluster">): Promise<void> {
  if (!(await isCluster())) await listRowVersions(pool, [""], [0n]);
  await listProfiles(pool, [0n], [""]);
  const noUser = { nameKey: "", userId: 0n };
  await loadTimeline(pool, noUser, { take: 1, sinceId: 0n, maxId: largestId }, undefined);
}
