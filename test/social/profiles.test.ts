import { ScalarType } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import * as assert from "uvu/assert";
import { publicFields, publicName } from "../../gateway/rendering/public-fields.ts";
import { empty_counts } from "../../proto/gen/contract/v1/annotations_pb.ts";
import { UpdateProfileRequestSchema } from "../../proto/gen/social/people/v1/profile_pb.ts";
import { ProfileResultSchema } from "../../proto/gen/social/v1/profiles_pb.ts";
import { readOption } from "../../services/platform/read-option.ts";
import { whileUncommitted } from "../support/open-transaction.ts";
import { as, type Person, person, profileOf, protect, publish, textsOf, timelineOf } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import { type TestServices, useServices } from "../support/services.ts";
import { useSharedServices } from "../support/shared-services.ts";
import { suite } from "../support/suite.ts";
import { listDrift, whileLocked } from "./drift.ts";

const Create = suite("create profiles");
const services = useServices(Create);

const createdAt = timestampFromDate(new Date("2020-01-01"));
const profile = (userId: bigint, screenName: string) => ({ userId, screenName, name: "N", createdAt });
const create = (...profiles: ReturnType<typeof profile>[]) => services.clients.profiles.createProfiles({ profiles });

async function holdersOf(...screenNames: string[]): Promise<bigint[]> {
  return (await services.clients.social.socialUsers({ screenNames })).results.map(({ id }) => id);
}

Create(
  "changes nothing for a user who has a profile: the user gets no second name, and no name of another user",
  async () => {
    const [ann, bea] = [await person(services, "ann"), await person(services, "bea")];
    await create(profile(ann.id, "another"));
    await create(profile(ann.id, bea.name));
    await services.clients.profiles.createProfile(profile(ann.id, bea.name));
    assert.equal(await holdersOf("another"), []);
    assert.equal(await holdersOf(ann.name, bea.name), [ann.id, bea.id]);
    assert.is((await profileOf(services, ann))?.screenName, ann.name);
  },
);

Create("adds the others of a batch, and gives a user a name that another one has here", async () => {
  const [cat, dan] = [await person(services, "cat"), await person(services, "dan")];
  await create(profile(cat.id, "other"), profile(901n, "fresh"), profile(902n, dan.name));
  assert.equal(await holdersOf("fresh", dan.name, "other"), [901n, 902n]);
});

Create("gives a user a name that an import takes from another user at that moment", async () => {
  const eve = await person(services, "eve");
  const lock = "select from social.screen_name where name_key = $1 for update";
  await whileUncommitted(services.database.social, [[lock, [eve.name]]], async ({ waiting, run, commit }) => {
    const created = create(profile(903n, eve.name));
    await waiting(1);
    await run("delete from social.screen_name where name_key = $1", [eve.name]);
    await commit();
    await created;
  });
  assert.equal(await holdersOf(eve.name), [903n]);
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

const Deletion = suite("delete profile");
useServices(Deletion, {}, services);

async function deleteWhole({ id }: { id: bigint }): Promise<void> {
  for (let call = 0; call < 20; call++) {
    if ((await services.clients.profiles.deleteProfile({ userId: id })).complete) return;
  }
  throw new Error("not complete after 20 calls");
}

Deletion("hides the user everywhere and corrects the counters of others", async () => {
  const { graph, statuses, social } = services.clients;
  const [ann, bea, shy] = [await person(services, "ann"), await person(services, "bea"), await person(services, "shy")];
  await protect(services, shy);
  const [own, others] = [await publish(services, ann), await publish(services, bea)];
  for (const [follower, user] of [
    [ann, bea],
    [bea, ann],
    [ann, shy],
  ] as const)
    await graph.follow({ followerId: follower.id, userId: user.id });
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
  assert.is((await refusalOf(statuses.publishStatus({ authorId: ann.id, text: "x" }))).code, "Unauthenticated");
  assert.is((await refusalOf(graph.follow({ followerId: bea.id, userId: ann.id }))).code, "NotFound");
  const left = await profileOf(services, bea);
  assert.equal([left?.followersCount, left?.friendsCount, left?.favouritesCount, left?.statusesCount], [0, 0, 0, 1]);
  assert.equal(await timelineOf(services, bea), [others.id]);
  assert.is(left?.status?.retweetCount, 0);
  assert.equal(await listDrift(services.database), []);
  assert.equal(await rowsOf(ann), [0, 0, 0, 0, 0]);
});

Deletion("is final: a late creation changes nothing, and the name is free for another user", async () => {
  const ann = await person(services, "ann");
  for (const _again of [1, 2]) await deleteWhole(ann);
  await create(profile(ann.id, ann.name));
  assert.is(await profileOf(services, ann), undefined);
  await create(profile(77n, ann.name));
  assert.equal(await timelineOf(services, ann), []);
});

Deletion("of a user without a profile is complete, and a late creation changes nothing", async () => {
  assert.is((await services.clients.profiles.deleteProfile({ userId: 88n })).complete, true);
  await create(profile(88n, "late"));
  assert.is(await profileOf(services, { id: 88n }), undefined);
  assert.equal((await refusalOf(services.clients.profiles.deleteProfile({}))).fields, ["userId InclusiveBetween"]);
});

Deletion("is repeated in batches until all statuses, marks and relations are deleted", async () => {
  const ann = await person(services, "ann");
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
  const ann = await person(services, "ann");
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
  const [ann, bea, cy] = [await person(services, "ann"), await person(services, "bea"), await person(services, "cy")];
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
const changedProfile = {
  name: "Änn 😀",
  location: "A harbour",
  url: "https://ann.example/",
  description: "Line one\nline two",
  lang: "pt-BR",
  timeZone: "Athens",
  utcOffset: -3600,
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

const Own = suite("a user's own profile");
let ann: Person;

useSharedServices(Own, services);
Own.before.each(async () => {
  ann = await person(services, "ann");
});

type Fields = Parameters<TestServices["clients"]["people"]["updateProfile"]>[0];

async function update(fields: Fields = {}) {
  const { results, version } = await services.clients.people.updateProfile({ userId: ann.id, ...fields });
  const [profile] = results;
  if (profile === undefined || results.length !== 1) throw new Error("not one profile");
  return { profile, version };
}

const changed = { ...changedProfile, utcOffset: String(changedProfile.utcOffset) };

Own("has every writable field after one update, in every read", async () => {
  const { version: before } = await update();
  const { profile, version } = await update(changed);
  assert.is(version, before + 1n);
  const [read] = (await services.clients.social.socialUsers({ userIds: [ann.id] }, as(ann))).results;
  assert.equal(profile, read);
  for (const [name, value] of Object.entries(changedProfile)) {
    assert.equal(profile[name as keyof typeof changed], value, name);
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
  for (const [name] of texts) {
    const field = name as keyof typeof changed;
    assert.equal(cleared[field], fresh[field], name);
  }
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
  for (const fields of [{ name: "late" }, {}]) {
    const refusal = await refusalOf(update({ ...fields, ifVersion: version }));
    assert.equal([refusal.code, refusal.errorCode], ["Aborted", "Conflict"]);
  }
  const { version: next, profile } = await update({ ifVersion: version + 1n });
  assert.is(next, version + 1n);
  assert.ok(profile.name.startsWith("n"));
});

Own("is not changed with invalid fields, which are all reported together", async () => {
  const before = await update();
  const cases: [Fields, string][] = [
    [{ name: " " }, "name NotEmpty"],
    [{ name: "a\u202eb" }, "name RegularExpression"],
    [{ location: "x".repeat(151) }, "location Length"],
    [{ location: "a\u0000" }, "location RegularExpression"],
    [{ url: "javascript:1" }, "url InvalidUrl"],
    [{ description: "😀".repeat(501) }, "description Length"],
    [{ utcOffset: "1.5" }, "utc_offset RegularExpression"],
    [{ profileImageUrl: "ftp://x.example" }, "profile_image_url InvalidUrl"],
    [{ name: "fine", url: "?", requestId: "x" }, "url InvalidUrl requestId RegularExpression"],
  ];
  for (const [fields, expected] of cases) {
    assert.equal((await refusalOf(update(fields))).fields.join(" "), expected);
  }
  assert.equal(await update(), before);
});

Own("keeps its version when statuses are published", async () => {
  const { version } = await update();
  await services.clients.people.publishStatus({ userId: ann.id, text: "hello" });
  assert.is((await update()).version, version);
});

Own("gets protection and verification, also repeatedly", async () => {
  const { profiles } = services.clients;
  const protectedOnce = await profiles.setProtected({ userId: ann.id, protected: true });
  const verified = await profiles.setVerified({ userId: ann.id, verified: true });
  assert.equal(
    [protectedOnce.profile?.protected, verified.profile?.protected, verified.profile?.verified],
    [true, true, true],
  );
  assert.is((await profiles.setVerified({ userId: ann.id, verified: true })).version, verified.version);
  await profiles.setProtected({ userId: ann.id, protected: false });
  const [read] = (await services.clients.social.socialUsers({ userIds: [ann.id] })).results;
  assert.equal([read?.protected, read?.verified], [false, true]);
  const { getProfile, setVerified } = profiles;
  for (const call of [setVerified, getProfile]) {
    assert.is((await refusalOf(call({ userId: 7n }))).code, "NotFound");
  }
});

Own.run();
