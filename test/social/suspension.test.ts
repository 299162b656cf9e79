import { randomUUID } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import * as assert from "uvu/assert";
import { UpdateProfileRequestSchema } from "../../proto/gen/social/people/v1/profile_pb.ts";
import type { SocialContext } from "../../services/social/context.ts";
import { maintain } from "../../services/social/maintenance.ts";
import { changeSuspension } from "../../services/social/rpc/moderation.ts";
import { updateProfile } from "../../services/social/rpc/profiles.ts";
import { times } from "../support/long.ts";
import { as, type Person, person, profileOf, publish, timelineOf, usePeople } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import { suite } from "../support/suite.ts";
import { copyNewest, maintainOnce, useServicesWithoutDrift, withContext } from "./drift.ts";

const Suspension = suite("suspension");

const services = useServicesWithoutDrift(Suspension);
const Mixed = suite("marks of reposts after opposite changes");
useServicesWithoutDrift(Mixed, services);
const [ann, bea, cy] = usePeople([Suspension, Mixed], services, "ann", "bea", "cy");

/** Repeats the call until it is complete, like the operator's tool. */
async function change(how: "suspend" | "reinstate", { id }: Person) {
  let afterUserId = 0n;
  do ({ nextAfterUserId: afterUserId } = await services.clients.moderation[how]({ userId: id, afterUserId }));
  while (afterUserId !== 0n);
}

const errorOf = async (call: Promise<unknown>) => (await refusalOf(call)).errorCode;

/** Runs a test on a status of ann with so many reposts by bea and by cy, by SQL: publishing thousands would take a while. */
async function withReposts(ofBea: number, ofCy: number, test: (ctx: SocialContext) => Promise<void>): Promise<void> {
  const { database } = services;
  await publish(services, ann, "original");
  for (const [{ id }, count] of [
    [bea, ofBea],
    [cy, ofCy],
  ] as const) {
    const repost = { author_id: `${id}`, repost_of_author_id: "base.author_id", repost_of_id: "n" };
    await copyNewest(database, ann, count, repost);
  }
  await withContext(services, test).finally(async () => {
    // No counter knows of them.
    const ids = [ann.id, bea.id, cy.id];
    await database.query("delete from social.status where author_id = any ($1)", [ids]);
    const columns = "statuses_count = 0, last_status_id = null, last_unrestricted_id = null";
    await database.query(`update social.profile set ${columns} where user_id = any ($1)`, [ids]);
  });
}

Suspension("continues where a call has ended in the midst of one user's reposts", async () => {
  await withReposts(4_500, 30, async (ctx) => {
    for (const suspended of [true, false]) {
      let afterUserId = 0n;
      let calls = 0;
      do {
        afterUserId = await changeSuspension(ctx, { userId: ann.id, afterUserId }, suspended, 0);
        calls++;
        assert.is(afterUserId === 0n, (await wrongMarks(ann, suspended)) === 0, `after ${calls} calls`);
      } while (afterUserId !== 0n);
      assert.ok(calls > 2, "in short transactions");
    }
  });
  await maintainOnce(services);
});

Suspension("is finished by maintenance after an interruption", async () => {
  await withReposts(2_500, 0, async (ctx) => {
    for (const suspended of [true, false]) {
      await changeSuspension(ctx, { userId: ann.id, afterUserId: 0n }, suspended, 0);
      assert.ok((await wrongMarks(ann, suspended)) > 0);
      await maintain(ctx);
      assert.is(await wrongMarks(ann, suspended), 0);
    }
  });
});

Suspension("makes a new mention of the user plain text, as of an unknown name", async () => {
  const { social } = services.clients;
  const mentions = async () =>
    (await social.socialTimelines({ screenName: bea.name })).results.map(
      ({ entities }) => entities?.userMentions.length,
    );
  await publish(services, bea, `before @${ann.name}`);
  await change("suspend", ann);
  await publish(services, bea, `after @${ann.name}`);
  assert.equal(await mentions(), [0, 1]);
});

Suspension("withholds reposts of the author's statuses, and restores them when it ends", async () => {
  const { people, statuses, social } = services.clients;
  const [original, own] = [await publish(services, ann), await publish(services, bea, "own")];
  const { status: repost } = await statuses.repost({ userId: bea.id, status: original });
  const { status: alone } = await statuses.repost({ userId: cy.id, status: original });
  const before = await Promise.all([ann, bea, cy].map((who) => timelineOf(services, who)));

  await change("suspend", ann);
  await change("suspend", ann);
  assert.equal([await timelineOf(services, bea), await timelineOf(services, cy)], [[own.id], []]);
  assert.is((await profileOf(services, bea))?.status?.id, own.id);
  assert.is((await profileOf(services, cy))?.status, undefined);
  assert.is((await social.socialUsers({ userIds: [bea.id] }, as(cy))).results[0]?.status?.id, own.id);
  const reposted = { authorId: bea.id, id: repost?.id ?? 0n };
  assert.is(await errorOf(statuses.getStatus({ status: reposted })), "NotFound");
  const answer = { inReplyToScreenName: bea.name, inReplyToStatusId: reposted.id };
  assert.is(await errorOf(people.publishStatus({ userId: cy.id, text: "x", ...answer })), "NotFound");
  const mark = { userId: cy.id, screenName: bea.name, id: reposted.id, favorited: true };
  assert.is(await errorOf(people.markStatus(mark)), "NotFound");
  const newest = await publish(services, bea, "newest");
  await statuses.deleteStatus(newest);
  assert.is((await profileOf(services, bea))?.status?.id, own.id);

  await change("reinstate", ann);
  await change("reinstate", ann);
  assert.equal(await Promise.all([ann, bea, cy].map((who) => timelineOf(services, who))), before);
  assert.is((await profileOf(services, cy))?.status?.id, alone?.id);
  assert.is((await profileOf(services, ann))?.status?.retweetCount, 2);
  await statuses.getStatus({ status: reposted });
});

Suspension("answers repetitions of earlier requests, and allows the deletion of the profile", async () => {
  const { profiles, statuses } = services.clients;
  const request = { authorId: ann.id, text: "x", requestId: randomUUID() };
  const { status } = await statuses.publishStatus(request);
  await statuses.repost({ userId: bea.id, status: { authorId: ann.id, id: status?.id ?? 0n } });
  await change("suspend", ann);
  assert.is((await statuses.publishStatus(request)).status?.id, status?.id);
  while (!(await profiles.deleteProfile({ userId: ann.id })).complete);
  assert.is((await profileOf(services, bea))?.statusesCount, 0);
  assert.is(await errorOf(services.clients.moderation.suspend({ userId: ann.id })), "NotFound");
  const negative = services.clients.moderation.suspend({ userId: ann.id, afterUserId: -5n });
  assert.is(await errorOf(negative), "InclusiveBetween");
});

Suspension("withholds the reposts of a user who is deleted before all of them are", async () => {
  const { moderation, profiles, statuses } = services.clients;
  const status = await publish(services, ann);
  for (const { id } of [bea, cy]) await statuses.repost({ userId: id, status });
  // As after the first step of a suspension and the first of a deletion.
  await services.database.query("insert into social.removed_profile (user_id) values ($1)", [ann.id]);
  for (const table of ["profile", "screen_name", "request"])
    await services.database.query(`delete from social.${table} where user_id = $1`, [ann.id]);
  assert.is((await moderation.suspend({ userId: ann.id, afterUserId: 1n })).nextAfterUserId, 0n);
  assert.equal([await timelineOf(services, bea), await timelineOf(services, cy)], [[], []]);
  while (!(await profiles.deleteProfile({ userId: ann.id })).complete);
});

Suspension("allows no publication after it was acknowledged, also none that is under way", async () => {
  for (let round = 0; round < times(4, 60); round++) {
    const author = await person(services, "ann");
    const publishing = Array.from({ length: 6 }, (_, index) =>
      (index % 2 === 0 ? publish(services, author, `${index}`) : repostBy(author)).catch(() => {}),
    );
    await change("suspend", author);
    const count = await countOf(author);
    await Promise.all(publishing);
    assert.equal(await countOf(author), count);
    await change("reinstate", author);
  }
});

Suspension("refuses a call that continues when the opposite was asked for meanwhile", async () => {
  await change("suspend", ann);
  const continued = services.clients.moderation.reinstate({ userId: ann.id, afterUserId: bea.id });
  assert.is(await errorOf(continued), "Conflict");
  await change("reinstate", ann);
});

async function repostBy({ id }: Person) {
  const status = await publish(services, bea);
  await services.clients.statuses.repost({ userId: id, status });
}

/** How many reposts of the author's statuses are withheld, or shown, although the author is not suspended, or is. */
async function wrongMarks({ id }: Person, suspended: boolean): Promise<number> {
  const text = "select from social.status where repost_of_author_id = $1 and withheld <> $2";
  return (await services.database.query(text, [id, suspended])).length;
}

async function countOf({ id }: Person) {
  const [row] = await services.database.query("select count(*)::int from social.status where author_id = $1", [id]);
  return row?.count;
}

Suspension.run();

// A call marks reposts in batches. Between two of them a second call makes the opposite change, and a third one, which makes the same change
// as the first, is interrupted before it has marked anything.

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

const [suspendAnn, protectAnn] = [
  (ctx: SocialContext) => changeSuspension(ctx, { userId: ann.id, afterUserId: 0n }, true, Infinity),
  (ctx: SocialContext) =>
    updateProfile(
      ctx,
      create(UpdateProfileRequestSchema, { userId: ann.id, protected: true, requestId: randomUUID() }),
    ),
];
for (const [what, mark, change] of [
  ["suspends", "withheld", suspendAnn],
  ["protects", "restricted", protectAnn],
] as const) {
  Mixed(`are complete when one call ${what} a user in several batches`, async () => {
    const { query } = services.database;
    const count = async (by: Person, isMarked: boolean) =>
      (await query(`select from social.status where author_id = $1 and ${mark} = $2`, [by.id, isMarked])).length;
    let changes = 0;
    const undoOnce = async () => {
      if (changes > 0 || (await count(bea, true)) < 2_500) return;
      changes++;
      assert.is(await count(cy, false), 30, "before the last batch");
      await query(`update social.status set ${mark} = false where author_id = $1`, [bea.id]);
    };
    await withReposts(2_500, 30, async (real) => {
      const run: typeof real.writes.run = (...write) => real.writes.run(...write).finally(undoOnce);
      await change({ ...real, writes: { ...real.writes, run } });
      assert.equal([changes, await count(bea, false), await count(cy, false)], [1, 0, 0]);
    });
  });
}

Mixed.run();
