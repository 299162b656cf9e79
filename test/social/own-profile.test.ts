import { ScalarType } from "@bufbuild/protobuf";
import * as assert from "uvu/assert";
import { publicFields, publicName } from "../../gateway/rendering/public-fields.ts";
import { empty_counts } from "../../proto/gen/contract/v1/annotations_pb.ts";
import { UpdateProfileRequestSchema } from "../../proto/gen/social/people/v1/profile_pb.ts";
import { ProfileResultSchema } from "../../proto/gen/social/v1/profiles_pb.ts";
import { readOption } from "../../services/platform/read-option.ts";
import { type Person, person, profileOf } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import type { TestServices } from "../support/services.ts";
import { useSharedServices } from "../support/shared-services.ts";
import { suite } from "../support/suite.ts";

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

const services = useSharedServices(Own);
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

const as = (viewer: Person) => ({ headers: { "roost-viewer": `${viewer.id}` } });

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
    [{ name: "" }, "name NotEmpty"],
    [{ name: " " }, "name NotEmpty"],
    [{ name: "x".repeat(65) }, "name Length"],
    [{ name: "a\u202eb" }, "name RegularExpression"],
    [{ location: "x".repeat(151) }, "location Length"],
    [{ location: "a\u0000" }, "location RegularExpression"],
    [{ url: "javascript:1" }, "url InvalidUrl"],
    [{ url: "/path" }, "url InvalidUrl"],
    [{ description: "😀".repeat(501) }, "description Length"],
    [{ lang: "?" }, "lang RegularExpression"],
    [{ timeZone: "x".repeat(65) }, "time_zone Length"],
    [{ utcOffset: "1.5" }, "utc_offset RegularExpression"],
    [{ utcOffset: "100000" }, "utc_offset InclusiveBetween"],
    [{ profileImageUrl: "ftp://x.example" }, "profile_image_url InvalidUrl"],
    [{ profileTextColor: "red" }, "profile_text_color RegularExpression"],
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
