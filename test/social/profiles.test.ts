import { ScalarType } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import * as assert from "uvu/assert";
import { publicFields, publicName } from "../../gateway/rendering/public-fields.ts";
import { empty_counts } from "../../proto/gen/contract/v1/annotations_pb.ts";
import { UpdateProfileRequestSchema } from "../../proto/gen/social/people/v1/profile_pb.ts";
import { ProfileResultSchema } from "../../proto/gen/social/v1/profiles_pb.ts";
import { readOption } from "../../services/platform/read-option.ts";
import { whileUncommitted } from "../support/open-transaction.ts";
import { as, type Person, profileOf, protect, publish, textsOf, timelineOf, usePeople } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import { type TestServices, useServices } from "../support/services.ts";
import { useSharedServices } from "../support/shared-services.ts";
import { suite } from "../support/suite.ts";
import { listDrift, whileLocked } from "./drift.ts";

const Create = suite("create profiles");
const services = useServices(Create);
const Deletion = suite("delete profile");
useServices(Deletion, {}, services);
const Own = suite("a user's own profile");
useSharedServices(Own, services);

const createdAt = timestampFromDate(new Date("2020-01-01"));
const [ann, bea, cy] = usePeople([Create, Deletion, Own], services, "ann", "bea", "cy");

const profile = (userId: bigint, screenName: string) => ({ userId, screenName, name: "N", createdAt });
const create = (...profiles: ReturnType<typeof profile>[]) => services.clients.profiles.createProfiles({ profiles });

async function holdersOf(...screenNames: string[]): Promise<bigint[]> {
  return (await services.clients.social.socialUsers({ screenNames })).results.map(({ id }) => id);
}

Create("gives a user who has a profile no second name, nor that of another user", async () => {
  await create(profile(ann.id, "another"));
  await create(profile(ann.id, bea.name));
  await services.clients.profiles.createProfile(profile(ann.id, bea.name));
  assert.equal(await holdersOf("another"), []);
  assert.equal(await holdersOf(ann.name, bea.name), [ann.id, bea.id]);
  assert.is((await profileOf(services, ann))?.screenName, ann.name);
});

Create("adds the others of a batch, and gives a user a name that another one has here", async () => {
  await create(profile(ann.id, "other"), profile(901n, "fresh"), profile(902n, bea.name));
  assert.equal(await holdersOf("fresh", bea.name, "other"), [901n, 902n]);
});

Create("gives a user a name that an import takes from another user at that moment", async () => {
  const lock = "select from social.screen_name where name_key = $1 for update";
  await whileUncommitted(services.database.social, [[lock, [ann.name]]], async ({ waiting, run, commit }) => {
    const created = create(profile(903n, ann.name));
    await waiting(1);
    await run("delete from social.screen_name where name_key = $1", [ann.name]);
    await commit();
    await created;
  });
  assert.equal(await holdersOf(ann.name), [903n]);
});

Create("refuses two users of one name, a user twice, too many, and dates that no account has", async () => {
  const fieldsOf = async (...profiles: ReturnType<typeof profile>[]) => (await refusalOf(create(...profiles))).fields;
  assert.equal(await fieldsOf(profile(910n, "same"), profile(911n, "SAME")), ["profiles Equal"]);
  assert.equal(await fieldsOf(profile(910n, "one"), profile(910n, "two")), ["profiles Equal"]);
  const many = Array.from({ length: 101 }, (_, index) => profile(BigInt(2_000 + index), `many${index}`));
  assert.equal(await fieldsOf(...many), ["profiles InclusiveBetween"]);
  const years = [-210_866_803_201n, -62_135_596_801n, 0n, 1_136_073_599n, 99_999_999_999n, -8_640_000_000_001n];
  for (const seconds of years) {
    const dated = { ...profile(912n, "dated"), createdAt: { ...createdAt, seconds } };
    assert.equal(await fieldsOf(dated), ["createdAt InclusiveBetween"], `${seconds}`);
  }
  assert.equal(await holdersOf("same", "one", "two", "many0", "dated"), []);
});

Create.run();

async function deleteWhole({ id }: { id: bigint }): Promise<void> {
  for (let call = 0; call < 20; call++) {
    if ((await services.clients.profiles.deleteProfile({ userId: id })).complete) return;
  }
  throw new Error("not complete after 20 calls");
}

Deletion("hides the user everywhere and corrects the counters of others", async () => {
  const { graph, statuses, social } = services.clients;
  await protect(services, cy);
  const [own, others] = [await publish(services, ann), await publish(services, bea)];
  for (const [{ id: followerId }, { id: userId }] of [
    [ann, bea],
    [bea, ann],
    [ann, cy],
  ] as const)
    await graph.follow({ followerId, userId });
  for (const [{ id: userId }, status] of [
    [bea, own],
    [ann, others],
  ] as const) {
    await statuses.favorite({ userId, status });
    await statuses.repost({ userId, status });
  }

  await deleteWhole(ann);
  assert.is(await profileOf(services, ann), undefined);
  assert.is((await refusalOf(social.socialTimelines({ screenName: ann.name }))).code, "NotFound");
  assert.is((await refusalOf(graph.follow({ followerId: bea.id, userId: ann.id }))).code, "NotFound");
  const left = await profileOf(services, bea);
  assert.equal([left?.followersCount, left?.friendsCount, left?.favouritesCount, left?.statusesCount], [0, 0, 0, 1]);
  assert.equal(await timelineOf(services, bea), [others.id]);
  assert.is(left?.status?.retweetCount, 0);
  assert.equal(await listDrift(services.database), []);
  assert.equal(await rowsOf(ann), [0, 0, 0, 0, 0]);
});

Deletion("is repeated in batches until all statuses, marks and relations are deleted", async () => {
  await services.database.query(`
    insert into social.profile (user_id, screen_name, name, created_at, followers_count, friends_count)
    select 6000000 + n, 'many_' || n, 'm', now(), 1, 1 from generate_series(1, 500) as n`);
  for (const text of [
    "insert into social.follow select $1, 6000000 + n from generate_series(1, 500) as n",
    "insert into social.follow select 6000000 + n, $1 from generate_series(1, 500) as n",
    "update social.profile set followers_count = 500, friends_count = 500 where user_id = $1",
  ])
    await services.database.query(text, [ann.id]);
  for (let index = 0; index < 450; index++) await publish(services, ann);
  await deleteWhole(ann);
  assert.equal(await listDrift(services.database), []);
  assert.equal(await rowsOf(ann), [0, 0, 0, 0, 0]);
});

Deletion("is not complete while another process is deleting the same statuses", async () => {
  for (let index = 0; index < 201; index++) await publish(services, ann);
  // As after the first part of a deletion.
  await services.database.query("insert into social.removed_profile (user_id) values ($1)", [ann.id]);
  for (const table of ["profile", "screen_name", "request"]) {
    await services.database.query(`delete from social.${table} where user_id = $1`, [ann.id]);
  }
  await whileLocked(services, [], async ({ run, waiting, commit }) => {
    await run("select from social.removed_profile where user_id = $1 for update", [ann.id]);
    await run(
      `delete from social.status where author_id = $1
         and id in (select id from social.status where author_id = $1 order by id limit 200)`,
      [ann.id],
    );
    const deletion = services.clients.profiles.deleteProfile({ userId: ann.id });
    await waiting(1);
    await commit();
    assert.ok((await deletion).complete);
  });
  assert.equal(await rowsOf(ann), [0, 0, 0, 0, 0]);
});

Deletion("hides the statuses that are left from those whom the user has blocked", async () => {
  for (let index = 0; index < 200; index++) await publish(services, ann);
  const newest = await publish(services, ann, "not for cy");
  await services.clients.statuses.repost({ userId: bea.id, status: newest });
  await services.clients.people.blockUser({ userId: ann.id, screenName: cy.name });
  const readByCy = async () =>
    textsOf((await services.clients.social.socialTimelines({ screenName: bea.name }, as(cy))).results);
  assert.equal(await readByCy(), []);
  await whileLocked(services, [], async ({ run, waiting, commit }) => {
    await run("select from social.status where author_id = $1 and id = $2 for update", [ann.id, newest.id]);
    const deletion = services.clients.profiles.deleteProfile({ userId: ann.id });
    await waiting(1);
    assert.equal(await readByCy(), []);
    await commit();
    await deletion;
  });
  await deleteWhole(ann);
  assert.equal(await rowsOf(ann), [0, 0, 0, 0, 0]);
});

/** The number of rows of each table that refer to the user. */
async function rowsOf({ id }: Person) {
  const [row] = await services.database.query(
    `select array[
       (select count(*) from social.status where author_id = $1),
       (select count(*) from social.favorite where user_id = $1 or author_id = $1),
       (select count(*) from social.follow where user_id = $1 or follower_id = $1),
       (select count(*) from social.follow_request where user_id = $1 or follower_id = $1),
       (select count(*) from social.request where user_id = $1)]::int[] as counts`,
    [id],
  );
  return row?.counts;
}

Deletion.run();

/** A value for each writable field of a profile, which differs from that of a new one. */
const changed = {
  name: "Änn 😀",
  location: "A harbour",
  url: "https://ann.example/",
  description: "Line one\nline two",
  lang: "pt-BR",
  timeZone: "Athens",
  utcOffset: "-3600",
  protected: true,
  geoEnabled: true,
  profileImageUrl: "https://media.example/a.png",
  profileBackgroundImageUrl: "http://media.example/b.png",
  profileBackgroundColor: "000000",
  profileSidebarBorderColor: "FFFFFF",
  profileSidebarFillColor: "abcdef",
  profileLinkColor: "123456",
  profileTextColor: "654321",
  profileBackgroundTile: true,
  profileUseBackgroundImage: false,
};

type Fields = Parameters<TestServices["clients"]["people"]["updateProfile"]>[0];

async function update(fields: Fields = {}) {
  const { results, version } = await services.clients.people.updateProfile({ userId: ann.id, ...fields });
  const [profile] = results;
  if (profile === undefined || results.length !== 1) throw new Error("not one profile");
  return { profile, version };
}

Own("has every writable field after one update, in every read", async () => {
  const { version: before } = await update();
  const { profile, version } = await update(changed);
  assert.is(version, before + 1n);
  const [read] = (await services.clients.social.socialUsers({ userIds: [ann.id] }, as(ann))).results;
  assert.equal(profile, read);
  for (const [name, value] of Object.entries(changed)) {
    assert.is(`${profile[name as keyof typeof changed]}`, `${value}`, name);
  }
  assert.equal([profile.following, profile.followRequestSent, profile.notifications], [false, false, false]);
});

Own("has the names of replies in requests, and each of its texts can be cleared", () => {
  const shown = new Map(publicFields(ProfileResultSchema).map((field) => [field.name, publicName(field)]));
  const written = publicFields(UpdateProfileRequestSchema).filter(({ name }) => shown.has(name));
  assert.ok(written.length > 15);
  for (const field of written) {
    assert.is(publicName(field), shown.get(field.name));
    assert.is(readOption(field, empty_counts), field.scalar === ScalarType.STRING, field.name);
  }
});

Own("gets the default of fields that are given empty, and keeps missing ones", async () => {
  const { profile: fresh } = await update();
  await update(changed);
  const { profile } = await update({ name: "Ann B" });
  assert.equal([profile.name, profile.location], ["Ann B", "A harbour"]);
  const texts = Object.entries(changed).filter(([name, value]) => typeof value === "string" && name !== "name");
  const { profile: cleared } = await update(Object.fromEntries(texts.map(([name], index) => [name, index ? "" : " "])));
  for (const [name] of texts)
    assert.equal(cleared[name as keyof typeof changed], fresh[name as keyof typeof changed], name);
  assert.equal([cleared.name, cleared.protected, cleared.geoEnabled], ["Ann B", true, true]);
});

Own("is returned with its version and not changed when no field is given", async () => {
  const { version, profile } = await update();
  assert.equal(await update(), { version, profile });
  assert.is((await profileOf(services, ann))?.screenName, ann.name);
  const rows = await services.database.query("select from social.request where user_id = $1", [ann.id]);
  assert.is(rows.length, 0);
});

Own("is only changed while it has the version that the caller names", async () => {
  const { version } = await update();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 8 }, (_, index) => update({ name: `n${index}`, ifVersion: version })),
  );
  assert.is(outcomes.filter(({ status }) => status === "fulfilled").length, 1);
  assert.is((await refusalOf(update({ ifVersion: version }))).errorCode, "Conflict", "also without a change");
  assert.is((await update({ ifVersion: version + 1n })).version, version + 1n);
});

Own("is not changed with invalid fields, which are all reported together", async () => {
  const before = await update();
  for (const [fields, expected] of [
    [{ name: "a\u202eb" }, "name RegularExpression"],
    [{ location: "x".repeat(151) }, "location Length"],
    [{ location: "a\u0000" }, "location RegularExpression"],
    [{ name: "fine", url: "?", requestId: "x" }, "url InvalidUrl requestId RegularExpression"],
  ] as const)
    assert.is((await refusalOf(update(fields))).fields.join(" "), expected);
  assert.equal(await update(), before);
});

Own("keeps its version when statuses are published", async () => {
  const { version } = await update();
  await services.clients.people.publishStatus({ userId: ann.id, text: "hello" });
  assert.is((await update()).version, version);
});

Own("is verified by the operator, also repeatedly", async () => {
  const { getProfile, setVerified } = services.clients.profiles;
  const { version } = await setVerified({ userId: ann.id, verified: true });
  assert.is((await setVerified({ userId: ann.id, verified: true })).version, version);
  assert.is((await profileOf(services, ann))?.verified, true);
  for (const call of [setVerified, getProfile]) {
    assert.is((await refusalOf(call({ userId: 7n }))).code, "NotFound");
  }
});

Own.run();
