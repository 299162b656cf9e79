import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import * as assert from "uvu/assert";
import { importProfiles } from "../support/imports.ts";
import { migrateTo } from "../support/migrate-to.ts";
import { whileUncommitted } from "../support/open-transaction.ts";
import { timelineOf, valuesOf } from "../support/people.ts";
import { createTestDatabase } from "../support/postgres.ts";
import { startTestServices } from "../support/services.ts";
import { suite, uses } from "../support/suite.ts";

const NameKeys = suite("name keys in a Turkish database");
/** The users of the last version's database, in which these names were different; oldest first. */
const older = ["IRIS", "iris", "Iris", "ILSE", "iLSE", "plain"];
const idOf = (screenName: string) => BigInt(1 + older.indexOf(screenName));

const services = uses(NameKeys, async () => {
  const database = await createTestDatabase("tr");
  await migrateTo(8, "social", database.social);
  await database.query(
    `with added as (
       insert into social.profile (user_id, screen_name, name, created_at)
       select place, name, name, now() from unnest($1::text[]) with ordinality as older (name, place) returning *
     )
     insert into social.screen_name (name_key, user_id) select lower(screen_name), user_id from added`,
    [older],
  );
  return startTestServices({}, database);
});

async function idsOf(...screenNames: string[]): Promise<bigint[]> {
  return (await services.clients.social.socialUsers({ screenNames })).results.map(({ id }) => id);
}

async function createProfile(userId: bigint, screenName: string): Promise<void> {
  const createdAt = timestampFromDate(new Date("2020-01-01"));
  await services.clients.profiles.createProfile({ userId, screenName, name: screenName, createdAt });
}

NameKeys("of existing users are computed again, and no profile is lost", async () => {
  for (const spelling of ["iris", "IRIS", "Iris"]) assert.equal(await idsOf(spelling), [idOf("iris")], spelling);
  for (const spelling of ["ilse", "ILSE", "iLSE"]) assert.equal(await idsOf(spelling), [idOf("ILSE")], spelling);
  assert.equal(await idsOf("PLAIN"), [idOf("plain")]);
  const { results } = await services.clients.social.socialUsers({ userIds: older.map(idOf) });
  assert.equal(valuesOf(results, "screenName"), older);
});

NameKeys("find a user and the user's timeline in every spelling", async () => {
  await createProfile(100n, "INGRID");
  const { status } = await services.clients.statuses.publishStatus({ authorId: 100n, text: "hello" });
  for (const screenName of ["ingrid", "Ingrid", "INGRID"]) {
    assert.equal(await idsOf(screenName), [100n], screenName);
    assert.equal(await timelineOf(services, { name: screenName }), [status?.id], screenName);
  }
});

NameKeys("find mentioned users", async () => {
  await createProfile(102n, "IDA");
  const { status } = await services.clients.statuses.publishStatus({ authorId: 102n, text: "to @ida and @IDA" });
  assert.equal(valuesOf(status?.entities?.userMentions ?? [], "id"), [102n, 102n]);
});

NameKeys("reserve a name against an import of another user, and are replaced for a renamed one", async () => {
  await createProfile(103n, "IVAN");
  const importAs = (userId: bigint, screenName: string) =>
    importProfiles(services, { userId, profile: { screenName } });
  assert.equal(await importAs(200n, "ivan"), ["its screen name belongs to another user"]);
  assert.equal(await importAs(201n, "ISOLDE"), ["ADDED"]);
  assert.equal(await idsOf("isolde"), [201n]);
  assert.equal(await importAs(201n, "IMOGEN"), ["UPDATED"]);
  assert.equal(await idsOf("imogen", "isolde"), [201n]);
});

NameKeys("go to the last user who is given the name, also when another one gets it concurrently", async () => {
  const name = "insert into social.screen_name (name_key, user_id) values ('iwan', 300)";
  await whileUncommitted(services.database.social, [[name]], async ({ waiting, commit }) => {
    const created = createProfile(301n, "IWAN");
    await waiting(1);
    await commit();
    await created;
  });
  assert.equal(await idsOf("iwan"), [301n]);
});

NameKeys.run();
