#!/bin/sh
# The guess: a prepared statement is planned for its values five times on a connection, and then keeps a plan for all values.
# What happens: one that polls, by `id >= $1` beside a join, is planned each time, for good. With the newest id Postgres expects hardly a row; for
# any id, a third of the table; so the plan for the value always looks cheaper, and what is saved by it is less than planning takes. An id that is a
# row of a materialized `with` shows no value, and one plan is kept.
# Version and source: PGlite 0.5.17, which is Postgres 18.7 (plancache.c, choose_custom_plan); Postgres 17.10 does the same.
# Why it matters here: a poll of a home without news cost as much for its plan as for its run (services/social/store/statuses/list-home.ts).
# Needs Node 20 or newer, and npm with access to its registry. Exit code 0 while the library behaves so.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' INT TERM

cd "$folder"
npm install --no-audit --no-fund --loglevel=error --prefix . @electric-sql/pglite@0.5.17 >/dev/null

cat >main.mjs <<'SCRIPT'
import { PGlite } from "@electric-sql/pglite";

const db = new PGlite();
const { rows: about } = await db.query("select version()");
console.log(`${about[0].version}, Node ${process.version}`);
await db.exec(`
  create table author (id int primary key, newest bigint not null);
  create table status (author_id int, id bigint, primary key (author_id, id));
  create table follow (follower_id int, author_id int, primary key (follower_id, author_id));
  insert into status select number % 1000, number from generate_series(1, 50000) as number;
  insert into author select author_id, max(id) from status group by 1;
  insert into follow select 1, id from author where id % 5 = 0;
  analyze`);

const poll = (start) => `
  select found.id from follow join author on author.id = author_id, lateral (
    select status.id from status where status.author_id = author.id and status.id >= ${start} order by status.id limit 20
  ) as found where follower_id = $1 and newest >= ${start} order by found.id limit 20`;
await db.exec(`prepare by_parameter (int, bigint) as ${poll("$2")}`);
await db.exec(`prepare by_row (int, bigint) as with start as materialized (select $2 as id) ${poll("(select id from start)")}`);

const times = 500;
for (const name of ["by_parameter", "by_row"]) {
  const begin = performance.now();
  for (let time = 0; time < times; time++) await db.exec(`execute ${name} (1, 50001)`);
  console.log(`${name}: ${((performance.now() - begin) / times).toFixed(2)} ms a poll`);
}
const { rows } = await db.query(
  "select name, generic_plans::int as kept, custom_plans::int as own from pg_prepared_statements order by name",
);
for (const { name, kept, own } of rows) console.log(`${name}: planned ${own} times, ${kept} times run by the plan that is kept`);
const asFound = rows[0].own === times && rows[1].own === 5;
console.log(asFound ? "As found: the poll by its parameter is planned each time." : "CHANGED: it no longer behaves so.");
process.exit(asFound ? 0 : 1);
SCRIPT
timeout 120 node main.mjs
