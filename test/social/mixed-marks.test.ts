import { randomUUID } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import * as assert from "uvu/assert";
import { UpdateProfileRequestSchema } from "../../proto/gen/social/people/v1/profile_pb.ts";
import { loadConfig } from "../../services/social/config.ts";
import { createContext, type SocialContext } from "../../services/social/context.ts";
import { changeSuspension } from "../../services/social/rpc/moderation.ts";
import { updateProfile } from "../../services/social/rpc/profiles.ts";
import { type Person, publish, timelineOf, usePeople } from "../support/people.ts";
import { suite } from "../support/suite.ts";
import { useServicesWithoutDrift } from "./drift.ts";
import { withReposts } from "./many-reposts.ts";

// A call marks reposts in batches. Between two of them a second call makes the opposite change, and a third one, which makes the same change
// as the first, is interrupted before it has marked anything.
const Mixed = suite("marks of reposts after opposite changes");

const services = useServicesWithoutDrift(Mixed);
const [ann, bea, cy] = usePeople(Mixed, services, "ann", "bea", "cy");

for (const [change, isSuspended] of [
  ["suspend", true],
  ["reinstate", false],
] as const) {
  Mixed(`are complete when a call that continues one to ${change} a user says that nothing is left`, async () => {
    const { moderation, statuses } = services.clients;
    const status = await publish(services, ann);
    for (const { id } of [bea, cy]) await statuses.repost({ userId: id, status });
    const userId = ann.id;
    // The first call has ended after bea. The second call:
    await moderation[isSuspended ? "reinstate" : "suspend"]({ userId });
    // The third one, whose process died after its first step:
    await services.database.query("update social.profile set suspended = $2 where user_id = $1", [userId, isSuspended]);
    let afterUserId = bea.id;
    do ({ nextAfterUserId: afterUserId } = await moderation[change]({ userId, afterUserId }));
    while (afterUserId !== 0n);
    const counts = [(await timelineOf(services, bea)).length, (await timelineOf(services, cy)).length];
    assert.equal(counts, isSuspended ? [0, 0] : [1, 1]);
  });
}

for (const [what, mark, change] of [
  ["suspends", "withheld", (ctx: SocialContext) => changeSuspension(ctx, { userId: ann.id, afterUserId: 0n }, true)],
  [
    "protects",
    "restricted",
    (ctx: SocialContext) =>
      updateProfile(
        ctx,
        create(UpdateProfileRequestSchema, { userId: ann.id, protected: true, requestId: randomUUID() }),
      ),
  ],
] as const) {
  Mixed(`are complete when one call ${what} a user in several batches`, async () => {
    const { query } = services.database;
    await publish(services, ann, "original");
    const count = async (by: Person, isMarked: boolean) =>
      (await query(`select from social.status where author_id = $1 and ${mark} = $2`, [by.id, isMarked])).length;
    let changes = 0;
    const undoOnce = async () => {
      if (changes > 0 || (await count(bea, true)) < 2_500) return;
      changes++;
      assert.is(await count(cy, false), 30, "before the last batch");
      await query(`update social.status set ${mark} = false where author_id = $1`, [bea.id]);
    };
    const real = createContext(loadConfig({ SOCIAL_DATABASE_URL: services.database.social }), services.log);
    const run: typeof real.writes.run = async (...write) => {
      const answer = await real.writes.run(...write);
      await undoOnce();
      return answer;
    };
    const ctx = { ...real, writes: { ...real.writes, run } };
    const reposts = [
      [bea, 2_500],
      [cy, 30],
    ] as const;
    await withReposts(services.database, ann, reposts, async () => {
      await change(ctx);
      assert.equal([changes, await count(bea, false), await count(cy, false)], [1, 0, 0]);
    });
    await ctx.close();
  });
}

Mixed.run();
