import * as assert from "uvu/assert";
import { distribution } from "../../services/social/store/shards/distribution.ts";
import { useServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Distribution = suite("distribution");
const services = useServices(Distribution);

Distribution("names every table of the schema, and no other", async () => {
  const rows = await services.database.query("select tablename from pg_tables where schemaname = 'social' order by 1");
  assert.equal(
    rows.map(({ tablename }) => tablename),
    Object.keys(distribution).toSorted(),
    "services/social/store/shards/distribution.ts must say where each table's rows are on a cluster",
  );
});

Distribution("is by a column that is part of every key of its table", async () => {
  const rows = await services.database.query(`
    select relname as table, indexrelid::regclass::text as key, array_agg(attname::text) as columns
    from pg_index join pg_class on pg_class.oid = indrelid
    join pg_attribute on attrelid = indrelid and attnum = any (indkey)
    where relnamespace = 'social'::regnamespace and (indisunique or indisexclusion) group by 1, 2`);
  assert.ok(rows.length >= Object.keys(distribution).length);
  const lacking = rows.filter(({ table, columns }) => {
    const column = distribution[table as string] as string;
    return !["everywhere", "coordinator"].includes(column) && !(columns as string[]).includes(column);
  });
  assert.equal(lacking, []);
});

Distribution.run();
