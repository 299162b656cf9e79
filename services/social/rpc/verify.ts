import { setTimeout as sleep } from "node:timers/promises";
import { create } from "@bufbuild/protobuf";
import {
  DriftSchema,
  type ListProfilesRequest,
  ListProfilesResponseSchema,
  type RecountProfilesRequest,
  RecountProfilesResponseSchema,
  type RecountStatusesRequest,
  RecountStatusesResponseSchema,
} from "../../../proto/gen/social/v1/verify_service_pb.ts";
import type { SocialContext } from "../context.ts";
import {
  type DriftRow,
  listProfileStates,
  type Recount,
  recountProfileRows,
  recountStatusRows,
} from "../store/verify.ts";

/** Lists the profiles and deletions of the next users. */
export async function listProfiles(ctx: SocialContext, { afterUserId }: ListProfilesRequest) {
  const profiles = await listProfileStates(ctx.pool, afterUserId, maxListed);
  const nextAfterUserId = profiles.length < maxListed ? 0n : profiles.at(-1)?.userId;
  return create(ListProfilesResponseSchema, { profiles, nextAfterUserId });
}

const maxListed = 1_000;

/** Recounts the counters of the next users. */
export async function recountProfiles(ctx: SocialContext, request: RecountProfilesRequest) {
  const { drifts, recounted, last } = await confirm(() =>
    recountProfileRows(ctx.pool, request.afterUserId, maxProfiles),
  );
  return create(RecountProfilesResponseSchema, {
    drifts: drifts.map(driftView),
    recounted,
    nextAfterUserId: last ?? 0n,
  });
}

const maxProfiles = 200;

/** Recounts the counters of the next statuses. */
export async function recountStatuses(ctx: SocialContext, request: RecountStatusesRequest) {
  const { drifts, recounted, last } = await confirm(() =>
    recountStatusRows(ctx.pool, request.after ?? { authorId: 0n, id: 0n }, maxStatuses),
  );
  return create(RecountStatusesResponseSchema, { drifts: drifts.map(driftView), recounted, nextAfter: last });
}

const maxStatuses = 5_000;

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

/** One wrong counter. */
function driftView({ user_id, status_id, field, stored, counted }: DriftRow) {
  return create(DriftSchema, { userId: user_id, statusId: status_id, field, stored, counted });
}
