import * as assert from "uvu/assert";
import { register } from "../support/people.ts";
import { refusalOf } from "../support/refusal.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Update = suite("update profile");
let services: TestServices;
let userId: bigint;

Update.before(async () => {
  services = await startTestServices();
  userId = await register(services, "Ann");
});
Update.after(() => services.stop());

type Profile = NonNullable<Parameters<TestServices["clients"]["profiles"]["updateProfile"]>[0]["profile"]>;

const update = (profile: Profile, paths: string[], id = userId) =>
  services.clients.profiles.updateProfile({ userId: id, profile, updateMask: { paths } });

Update("raises the content version with each change", async () => {
  const version = async () =>
    (await services.database.query("select content_version from social.profile"))[0]?.content_version;
  const before = Number(await version());
  await update({ name: "Ann B" }, ["name"]);
  assert.is(Number(await version()), before + 1);
});

Update("changes nothing when the profile has another version than the caller names", async () => {
  const { profiles } = services.clients;
  const { version } = await profiles.getProfile({ userId });
  const change = { userId, profile: { name: "First" }, updateMask: { paths: ["name"] }, ifVersion: version };
  const { version: next } = await profiles.updateProfile(change);
  assert.is(next, version + 1n);
  const refusal = await refusalOf(profiles.updateProfile({ ...change, profile: { name: "Second" } }));
  assert.equal([refusal.code, refusal.errorCode], ["Aborted", "Conflict"]);
  const { profile, version: last } = await profiles.getProfile({ userId });
  assert.equal([profile?.name, last], ["First", next]);
  // Publications and counters do not change the version of the profile.
  await services.clients.statuses.publishStatus({ authorId: userId, text: "hello" });
  await profiles.updateProfile({ ...change, profile: { name: "Third" }, ifVersion: next });
});

Update("succeeds for one of several concurrent writers of a version, and answers the others a conflict", async () => {
  const { profiles } = services.clients;
  const { version } = await profiles.getProfile({ userId });
  const change = { userId, updateMask: { paths: ["name"] }, ifVersion: version };
  const outcomes = await Promise.allSettled(
    Array.from({ length: 12 }, (_, index) => profiles.updateProfile({ ...change, profile: { name: `n${index}` } })),
  );
  assert.is(outcomes.filter(({ status }) => status === "fulfilled").length, 1);
  assert.is((await profiles.getProfile({ userId })).version, version + 1n);
});

Update("sets protection and verification, also repeatedly", async () => {
  const { profiles } = services.clients;
  const protectedOnce = await profiles.setProtected({ userId, protected: true });
  const verified = await profiles.setVerified({ userId, verified: true });
  assert.equal(
    [protectedOnce.profile?.protected, verified.profile?.protected, verified.profile?.verified],
    [true, true, true],
  );
  assert.is((await profiles.setVerified({ userId, verified: true })).version, verified.version);
  await profiles.setProtected({ userId, protected: false });
  const [read] = (await services.clients.social.socialUsers({ userIds: [userId] })).results;
  assert.equal([read?.protected, read?.verified], [false, true]);
  const { getProfile, setVerified } = profiles;
  for (const call of [setVerified, getProfile]) {
    assert.is((await refusalOf(call({ userId: 7n }))).code, "NotFound");
  }
});

Update.run();
