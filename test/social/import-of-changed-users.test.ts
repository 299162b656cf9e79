import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import * as assert from "uvu/assert";
import { importProfiles, importStatuses } from "../support/imports.ts";
import { type Person, person, profileOf, valuesOf } from "../support/people.ts";
import { startTestServices, useServices } from "../support/services.ts";
import { suite, uses } from "../support/suite.ts";
import { listDrift, whileLocked } from "./drift.ts";

const Renames = suite("import of renames");
const services = useServices(Renames);

/** Imports users of these names in one batch, each under the id of its place. */
async function importUsers(names: readonly string[]): Promise<{ ids: bigint[]; outcomes: string[] }> {
  const createdAt = timestampFromDate(new Date("2008-01-01"));
  const claims = names.map((userName, id) => ({ originId: `${id}`, userName, displayName: userName, createdAt }));
  const { results } = await services.clients.account.claimAccounts({ origin: "twitter", claims });
  const ids = valuesOf(results, "userId");
  const profiles = names.map((screenName, place) => ({
    userId: ids[place] ?? 0n,
    originId: `${place}`,
    profile: { screenName },
  }));
  return { ids, outcomes: await importProfiles(services, ...profiles) };
}

Renames("gives users of one batch each other's former names, in any order", async () => {
  for (const names of [
    ["chain1", "chain2", "chain3"],
    ["chain2", "chain3", "chain4"],
    ["chain5", "chain2", "chain3"],
  ]) {
    const { ids, outcomes } = await importUsers(names);
    assert.is(new Set(outcomes).size, 1, outcomes.join());
    const { results } = await services.clients.social.socialUsers({ userIds: ids });
    assert.equal(valuesOf(results, "screenName"), names);
  }
});

Renames.run();

const Deleted = suite("import of deleted users");
useServices(Deleted, {}, services);
/** A second process on the same database, since the first one queues writes for one user itself. */
const others = uses(Deleted, () => startTestServices({}, { ...services.database, drop: async () => {} }));

const importAgain = (people: readonly Person[], description: string) =>
  importProfiles(
    services,
    ...people.map(({ id, name }) => ({ userId: id, profile: { screenName: name, description } })),
  );

let count = 0;
function stranger(): Person {
  const number = ++count;
  return { id: 2_000_000n + BigInt(number), name: `stranger_${number}` };
}

const remove = ({ id }: Person) => others.clients.profiles.deleteProfile({ userId: id });

async function expectGone(user: Person): Promise<void> {
  assert.is(await profileOf(services, user), undefined);
  assert.equal((await services.clients.social.socialUsers({ screenNames: [user.name] })).results, []);
  const rows = await services.database.query(
    "select from social.status where author_id = $1 union all select from social.screen_name where user_id = $1",
    [user.id],
  );
  assert.equal(rows, []);
  assert.equal(await listDrift(services.database), []);
}

/** The number of attempts of each case, since the moment at which the import reads is random. */
const rounds = 3;

for (const known of [true, false]) {
  const who = known ? "a user who has a profile" : "a user who has no profile yet";
  Deleted(`does not restore ${who}, deleted while the import waits for another user's row`, async () => {
    for (let round = 0; round < rounds; round++) {
      const [first, second] = [stranger(), stranger()];
      await importAgain(known ? [first, second] : [first], "before");
      await whileLocked(services, [first.id], async ({ waiting, commit }) => {
        const imported = importAgain([first, second], "after");
        await waiting(1);
        const deleted = remove(second);
        // The deletion ends at once, or waits for the import.
        await Promise.race([deleted, waiting(2)]);
        await commit();
        await Promise.all([imported, deleted]);
      });
      assert.is((await profileOf(services, first))?.description, "after");
      await expectGone(second);
    }
  });
}

Deleted("does not restore a user whose deletion is under way, by import or by creation", async () => {
  for (let round = 0; round < rounds; round++) {
    const user = stranger();
    const profile = { userId: user.id, screenName: user.name, name: "N", createdAt: { seconds: 1_200_000_000n } };
    await importAgain([user], "before");
    await whileLocked(services, [user.id], async ({ waiting, commit }) => {
      const deleted = remove(user);
      await waiting(1);
      const brought = [importAgain([user], "after"), services.clients.profiles.createProfile(profile)];
      const status = importStatuses(services, [{ authorId: user.id, originId: "1" }]);
      await waiting(2);
      await commit();
      await Promise.all([deleted, status, ...brought]);
    });
    await expectGone(user);
  }
});

Deleted("leaves no reservation, so that added users can be deleted", async () => {
  const [user, own] = [stranger(), await person(services, "own")];
  assert.equal(await importAgain([user], "a"), ["ADDED"]);
  assert.equal(await importAgain([user], "a"), ["UNCHANGED"]);
  assert.equal(await services.database.query("select from social.removed_profile where removed_at = 'infinity'"), []);
  for (const gone of [user, own]) {
    await remove(gone);
    await importAgain([gone], "b");
    await expectGone(gone);
  }
});

Deleted.run();
