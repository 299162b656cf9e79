import * as assert from "uvu/assert";
import { createClusterDatabase, shards } from "../support/citus.ts";
import { migrateTo } from "../support/migrate-to.ts";
import { valuesOf } from "../support/people.ts";
import { startTestServices } from "../support/services.ts";
import { suiteOnCluster } from "./suite-on-cluster.ts";

const [Migrations, cluster] = await suiteOnCluster("migrations of a cluster");

Migrations("run when a service starts on tables that an earlier version has distributed", async () => {
  const database = await createClusterDatabase(cluster, undefined, false);
  await database.query("drop schema social cascade");
  // The version with the first shards.
  await migrateTo(14, "social", database.social);
  await database.query(`
    insert into social.profile (user_id, screen_name, name, created_at, protected, last_status_id)
    values (1, 'ann', 'Ann', now(), true, 1), (2, 'bea', 'Bea', now(), false, 2)`);
  await database.query("insert into social.screen_name (name_key, user_id) values ('ann', 1), ('bea', 2)");
  await database.query(
    `
    insert into social.status (author_id, id, text, source, created_at, entities, repost_of_author_id, repost_of_id)
    values (1, 1, 'hidden', '', now(), $1, null, null), (2, 1, 'own', '', now(), $1, null, null),
      (2, 2, 'repost', '', now(), $1, 1, 1)`,
    [JSON.stringify({ hashtags: [], urls: [], userMentions: [] })],
  );
  // Plain tables of that version, which ours no longer knows.
  const gone = ["announcer", "undone_repost"];
  for (const table of gone) await database.query(`alter table social.${table} set schema public`);
  assert.is((await shards(database, "create")).code, 0);
  for (const table of gone) await database.query(`alter table public.${table} set schema social`);
  const services = await startTestServices({}, database);
  try {
    const { results } = await services.clients.social.socialTimelines({ screenName: "bea" });
    assert.equal(valuesOf(results, "text"), ["own"]);
    assert.is((await shards(database, "verify")).code, 0);
  } finally {
    await services.stop();
  }
});

Migrations.run();
