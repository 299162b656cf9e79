import { suite } from "uvu";
import * as assert from "uvu/assert";
import { ImportOutcome } from "../../proto/gen/social/v1/import_service_pb.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { listDrift } from "./drift.ts";
import { waiting, whileHeld } from "./held-row.ts";
import { type Person, person, profileOf } from "./people.ts";

const Deleted = suite("import of deleted users");
let services: TestServices;

Deleted.before(async () => {
  services = await startTestServices();
});
Deleted.after(() => services.stop());

const colours = {
  profileBackgroundColor: "000000",
  profileSidebarBorderColor: "000000",
  profileSidebarFillColor: "000000",
  profileLinkColor: "000000",
  profileTextColor: "000000",
};
const createdAt = "Wed Aug 27 13:08:45 +0000 2008";

async function importProfiles(people: readonly Person[], description: string): Promise<string[]> {
  const profiles = people.map(({ id, name }) => ({
    userId: id,
    originId: `${id}`,
    profile: { ...colours, lang: "en", createdAt, name: "N", screenName: name, description },
  }));
  const { results } = await services.clients.imports.importProfiles({ origin: "twitter", profiles });
  return results.map(({ outcome, refusal }) => refusal || (ImportOutcome[outcome] as string));
}

async function importStatus(author: Person): Promise<string | undefined> {
  const statuses = [{ authorId: author.id, originId: "1", status: { text: "t", createdAt } }];
  const { results } = await services.clients.imports.importStatuses({ origin: "twitter", statuses });
  return results[0]?.refusal;
}

let count = 0;
function stranger(): Person {
  const number = ++count;
  return { id: 2_000_000n + BigInt(number), name: `stranger_${number}` };
}

const remove = ({ id }: Person) => services.clients.profiles.deleteProfile({ userId: id });

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

for (const known of [true, false]) {
  const who = known ? "a user whose profile stands" : "a user whose profile is not there yet";
  Deleted(`does not bring back ${who}, deleted while the import waits for another user's row`, async () => {
    const [first, second] = [stranger(), stranger()];
    await importProfiles(known ? [first, second] : [first], "before");
    await whileHeld(services, first.id, async (release) => {
      const imported = importProfiles([first, second], "after");
      await waiting(services, 1);
      const deleted = remove(second);
      // It is over at once, or it waits for the import.
      await Promise.race([deleted, waiting(services, 2)]);
      await release();
      await Promise.all([imported, deleted]);
    });
    assert.is((await profileOf(services, first))?.description, "after");
    await expectGone(second);
  });
}

Deleted("does not bring back a user whose deletion comes first, whatever brings the user", async () => {
  const user = stranger();
  await importProfiles([user], "before");
  await whileHeld(services, user.id, async (release) => {
    const deleted = remove(user);
    await waiting(services, 1);
    const profile = importProfiles([user], "after");
    await waiting(services, 2);
    const status = importStatus(user);
    const created = services.clients.profiles.createProfile({
      userId: user.id,
      screenName: user.name,
      name: "N",
      createdAt: { seconds: 1n },
    });
    await waiting(services, 4);
    await release();
    await Promise.all([deleted, profile, created]);
    assert.is(await status, "its author has no profile here");
  });
  await expectGone(user);
});

Deleted("leaves no reservation behind: users who were added can be deleted for good", async () => {
  const [user, own] = [stranger(), await person(services, "own")];
  assert.equal(await importProfiles([user], "a"), ["ADDED"]);
  assert.equal(await importProfiles([user], "a"), ["UNCHANGED"]);
  assert.equal(await services.database.query("select from social.removed_profile where removed_at = 'infinity'"), []);
  for (const gone of [user, own]) {
    await remove(gone);
    await importProfiles([gone], "b");
    await expectGone(gone);
  }
});

Deleted.run();
