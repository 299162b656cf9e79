import { randomUUID } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import * as assert from "uvu/assert";
import { UpdateProfileRequestSchema } from "../../proto/gen/social/people/v1/profile_pb.ts";
import { updateProfile } from "../../services/social/rpc/profiles.ts";
import { importProfiles } from "../support/imports.ts";
import { times } from "../support/long.ts";
import {
  as,
  idsOf,
  type Person,
  person,
  profileOf,
  protect,
  publish,
  timelineOf,
  usePeople,
} from "../support/people.ts";
import { suite } from "../support/suite.ts";
import { maintainOnce, useServicesWithoutDrift, withContext } from "./drift.ts";

const Restricted = suite("reposts of an author who became protected or suspended");

const services = useServicesWithoutDrift(Restricted);
const [ann, bea, cy] = usePeople(Restricted, services, "ann", "bea", "cy");

async function repostOf(reposter: Person, status: { authorId: bigint; id: bigint }) {
  const { status: repost } = await services.clients.statuses.repost({ userId: reposter.id, status });
  return { authorId: reposter.id, id: repost?.id ?? 0n };
}

for (const [what, hide] of [
  ["protected", (author: Person) => protect(services, author)],
  ["suspended", ({ id }: Person) => services.clients.moderation.suspend({ userId: id })],
] as const) {
  Restricted(`do not shorten pages of other readers, nor do those of one who was ${what}`, async () => {
    const kept: bigint[] = [];
    for (let index = 0; index < 5; index++) {
      kept.unshift((await publish(services, bea, `${index}`)).id);
      await repostOf(bea, await publish(services, ann, `of ann ${index}`));
    }
    await hide(ann);
    for (const options of [undefined, as(cy)]) {
      const { results } = await services.clients.social.socialTimelines({ screenName: bea.name, take: 3n }, options);
      assert.equal(idsOf(results), kept.slice(0, 3));
    }
    const newest = await publish(services, bea, "newest");
    await services.clients.statuses.deleteStatus(newest);
    assert.is((await profileOf(services, bea))?.status?.id, kept[0]);
  });

  Restricted(
    `are hidden when it is acknowledged that the author is ${what}, also those made concurrently`,
    async () => {
      for (let round = 0; round < times(6, 60); round++) {
        const author = await person(services, "ann");
        const status = await publish(services, author);
        const reposters = await Promise.all([0, 1, 2, 3].map(() => person(services, "re")));
        const reposts = reposters.map((reposter) => repostOf(reposter, status).catch(() => {}));
        await Promise.all([...reposts, hide(author)]);
        assert.equal(await Promise.all(reposters.map((who) => timelineOf(services, who))), [[], [], [], []]);
      }
    },
  );
}

Restricted("are restricted also when an import makes the author protected", async () => {
  const dan = { id: 3_000_000n, name: "dan" };
  const importDan = (isProtected: boolean) =>
    importProfiles(services, { userId: dan.id, profile: { screenName: dan.name, protected: isProtected } });
  await importDan(false);
  await repostOf(bea, await publish(services, dan));
  assert.is((await timelineOf(services, bea)).length, 1);
  await importDan(true);
  assert.is((await timelineOf(services, bea)).length, 0);
});

Restricted("follow the last of several concurrent changes", async () => {
  await repostOf(bea, await publish(services, ann));
  for (let round = 0; round < times(5, 40); round++) {
    await Promise.all([
      protect(services, ann),
      protect(services, ann, false),
      protect(services, ann),
      protect(services, ann, false),
    ]);
    const { protected: isProtected } = (await profileOf(services, ann)) ?? {};
    assert.is((await timelineOf(services, bea)).length, isProtected ? 0 : 1);
  }
});

Restricted("are restricted by maintenance also when the work for another user fails", async () => {
  const [failing, author, fan] = [ann, bea, cy];
  await repostOf(fan, await publish(services, author));
  await protect(services, author);
  const { query } = services.database;
  await query("update social.status set restricted = false where author_id = $1", [fan.id]);
  await query("update social.profile set reposts_due = content_version where user_id = any ($1)", [
    [failing.id, author.id],
  ]);
  await query(`alter table social.profile add constraint refused
    check (user_id <> ${failing.id} or reposts_due is not null)`);
  await maintainOnce(services);
  await query("alter table social.profile drop constraint refused");
  await query("update social.profile set reposts_due = null where user_id = $1", [failing.id]);
  assert.is((await timelineOf(services, fan)).length, 0);
});

Restricted("are restricted after an interruption by a repetition, another request and maintenance", async () => {
  const { profiles } = services.clients;
  await repostOf(bea, await publish(services, ann));
  const request = { userId: ann.id, protected: true, requestId: randomUUID() };
  await profiles.setProtected(request);
  const { query } = services.database;
  for (const finish of [
    () => profiles.setProtected(request),
    () => protect(services, ann),
    () => maintainOnce(services),
  ]) {
    await query("update social.status set restricted = false where author_id = $1", [bea.id]);
    await query("update social.profile set reposts_due = content_version where user_id = $1", [ann.id]);
    assert.is((await timelineOf(services, bea)).length, 1);
    await finish();
    assert.is((await timelineOf(services, bea)).length, 0, `${finish}`);
  }
});

Restricted("are withheld where the author is deleted before a change of protection reaches them", async () => {
  await repostOf(bea, await publish(services, ann, "secret"));
  await withContext(services, async (ctx) => {
    const query = ctx.pool.query.bind(ctx.pool) as (statement: { name?: string }) => Promise<unknown>;
    const deletingFirst = async (statement: { name?: string }) => {
      // As the first transaction of a deletion, by another process.
      if (statement.name === "find-reposts-due") {
        await services.database.query(
          `with removed as (delete from social.profile where user_id = $1 returning user_id),
                name as (delete from social.screen_name where user_id = $1)
           insert into social.removed_profile (user_id) select user_id from removed`,
          [ann.id],
        );
      }
      return query(statement);
    };
    Object.assign(ctx.pool, { query: deletingFirst });
    const change = { userId: ann.id, protected: true, requestId: randomUUID() };
    await updateProfile(ctx, create(UpdateProfileRequestSchema, change));
    assert.equal(await timelineOf(services, bea), []);
  });
  while (!(await services.clients.profiles.deleteProfile({ userId: ann.id })).complete);
});

Restricted.run();
