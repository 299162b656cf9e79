import * as assert from "uvu/assert";
import { contractDate } from "../../services/platform/contract-date.ts";
import { freeIds } from "../../services/social/domain/imported-id.ts";
import { eventually } from "../support/eventually.ts";
import { importStatuses } from "../support/imports.ts";
import { times } from "../support/long.ts";
import { type Person, person, publish, textsOf, timelineOf } from "../support/people.ts";
import { sharedCluster } from "../support/postgres.ts";
import { useServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const OneSecond = suite("import of many statuses of one second");
const services = useServices(OneSecond);

/** Enough statuses of one second to show that the work does not grow faster than their number. */
const many = times(2_000, 10_000);
const second = new Date("2008-08-27T13:08:45Z");

/** Imports the statuses `from` to `to - 1` of one second, a thousand in each call; returns the count of each outcome. */
async function bring(authors: readonly Person[], from: number, to: number, time = second) {
  const counts: Record<string, number> = {};
  const createdAt = contractDate(time);
  for (let start = from; start < to; start += 1_000) {
    const statuses = Array.from({ length: Math.min(1_000, to - start) }, (_, index) => ({
      authorId: authors[index % authors.length]?.id ?? 0n,
      originId: `${start + index + 1}`,
      status: { text: `${start + index + 1}`, createdAt },
    }));
    for (const name of await importStatuses(services, statuses)) counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

const first = (time: Date) => BigInt(time.getTime() - Date.UTC(2006, 0, 1)) << 12n;

/** The number of index searches of statuses so far, and of entries read. Connections report these when they end. */
async function readSoFar(): Promise<number> {
  await services.stopSocial();
  await eventually("the end of all connections", async () => {
    const open = await services.database.query(
      "select from pg_stat_activity where datname = current_database() and usename = 'social'",
    );
    return open.length === 0;
  });
  const [row] = await services.database.query(`
    select (select sum(idx_scan + idx_tup_read)::int from pg_stat_user_indexes where relname = 'status')
      + (select seq_tup_read::int from pg_stat_user_tables where relname = 'status') as read`);
  await services.startSocial();
  return Number(row?.read);
}

OneSecond("reads in proportion to their number, and changes nothing when it is repeated", async () => {
  const [ann, bea] = [await person(services, "ann"), await person(services, "bea")];
  // The first ones are later than all that their author had, so nothing is looked up.
  for (const author of [ann, bea]) assert.equal(await bring([author], 0, 1_000), { ADDED: 1_000 });
  const start = await readSoFar();
  assert.equal(await bring([ann], 1_000, 1_000 + many), { ADDED: many });
  const once = (await readSoFar()) - start;
  assert.equal(await bring([bea], 1_000, 1_000 + 2 * many), { ADDED: 2 * many });
  const twice = (await readSoFar()) - start - once;
  // The servers of a cluster count their reads each by itself.
  if (sharedCluster === undefined)
    assert.ok(twice < 2.5 * once, `${once} reads for ${many} statuses, ${twice} for twice as many`);

  const rows = () =>
    services.database.query("select id, text from social.status where author_id = $1 order by id", [ann.id]);
  const before = await rows();
  assert.equal(await bring([ann], 0, 1_000 + many), { UNCHANGED: 1_000 + many });
  assert.equal(await rows(), before);
  const numbers = Array.from({ length: 1_000 + many }, (_, index) => `${index + 1}`);
  assert.equal(textsOf(before), numbers);
  const ids = before.map(({ id }) => BigInt(id as string));
  assert.ok(ids.every((id) => id >= first(second) && id < first(new Date(second.getTime() + 1_000))));
});

OneSecond("keeps the order of seconds for each of several authors", async () => {
  const authors = [await person(services, "cleo"), await person(services, "dora")];
  await bring(authors, 0, many, new Date(second.getTime() + 1_000));
  await bring(authors, many, 2 * many);
  for (const author of authors) {
    const rows = await services.database.query(
      `select count(*)::int, count(distinct id)::int as ids, bool_and(id < 1::bigint << 53) as exact,
         bool_and(created_at >= before) as ordered
       from (select *, lag(created_at, 1, '2000-01-01') over (order by id) as before
             from social.status where author_id = $1) as status`,
      [author.id],
    );
    assert.equal(rows, [{ count: many, ids: many, exact: true, ordered: true }]);
  }
});

OneSecond("finds free ids among statuses that were published here in that second", async () => {
  const author = await person(services, "faye");
  for (let count = 0; count < 3; count++) await publish(services, author);
  const [newest] = await timelineOf(services, author);
  const published = new Date(Number((newest ?? 0n) >> 12n) + Date.UTC(2006, 0, 1));
  assert.equal(await bring([author], 0, 2_000, new Date(Math.floor(published.getTime() / 1_000) * 1_000)), {
    ADDED: 2_000,
  });
  const all = "select from social.status where author_id = $1";
  assert.is((await services.database.query(all, [author.id])).length, 2_003);
  const next = await publish(services, author);
  assert.is((await timelineOf(services, author))[0], next.id);
});

OneSecond("uses ids of the next seconds when those of the second are used up", async () => {
  const author = await person(services, "gina");
  // Takes the last id of each span that is tried, from one millisecond to a second.
  await services.database.query(
    `insert into social.status (author_id, id, text, source, created_at, entities)
     select $1::bigint, $2::bigint + (4096 * (1 << span)) - 1, 't', 's', $3::timestamptz, '{}'::jsonb
     from generate_series(0, 10) as span
     union all select $1, $2 | ($1 & 127), 't', 's', $3, '{}'`,
    [author.id, first(second).toString(), second],
  );
  assert.equal(await bring([author], 0, 1_000), { ADDED: 1_000 });
  const [row] = await services.database.query(
    `select min(id) > $2::bigint + 4096 * 1000 as later, count(*)::int from social.status where author_id = $1 and origin is not null`,
    [author.id, first(second).toString()],
  );
  assert.equal(row, { later: true, count: 1_000 });
});

OneSecond("gives different ids to statuses of a batch with equal wanted ids", () => {
  const wanted = [5n, 5n, 7n, 5n, 7n, 6n].map((id, index) => ({ authorId: 1n, originId: `${index}`, first: id }));
  const free = [
    { authorId: 1n, first: 5n, isFirstFree: true, start: 6n },
    { authorId: 1n, first: 6n, isFirstFree: true, start: 6n },
    { authorId: 1n, first: 7n, isFirstFree: false, start: 9n },
  ];
  assert.equal([...freeIds(wanted, free).values()], [5n, 6n, 9n, 7n, 10n, 8n]);
});

OneSecond.run();
