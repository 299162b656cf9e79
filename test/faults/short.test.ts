import { closeSync, openSync } from "node:fs";
import * as assert from "uvu/assert";
import { suite } from "../support/suite.ts";
import { kills } from "./cases/cases.ts";
import type { Fault, FaultCase } from "./fault-case.ts";
import { type Rig, startRig } from "./rig.ts";
import { compare, runCase, unexpectedEnds } from "./run-case.ts";
import { hasGrown, heldBy } from "./soak.ts";
import { Tally } from "./tally.ts";
import { createWritingClient, type WritingClient } from "./writing-client.ts";

const Faults = suite("faults");
let rig: Rig;
let client: WritingClient;

/** What is killed under one load, one after the other or together. The full run is `npm run faults`. */
const victims = [["kill-postgres"], ["kill-social"], ["kill-account", "kill-gateway"]];
/** Seconds. This test shows that the system recovers; the full run, on an idle machine, measures how fast. */
const limit = 45;

Faults.before(async () => {
  rig = await startRig();
  if (rig.redis === undefined) console.warn("\n!!! SKIPPED: no redis-server here; kills of Redis are not tested !!!\n");
  else victims.unshift(["kill-redis"]);
  client = createWritingClient(rig, new Tally());
});
Faults.after(async () => {
  client?.close();
  await rig?.stop();
});

Faults("lose no acknowledged write when processes are killed, and show nothing wrong", async () => {
  const killing: FaultCase = {
    name: "kills",
    title: "each process once",
    times: victims.length,
    alsoAllowed: ["broken"],
    ends: ["gateway", "account", "social", "Postgres"],
    fault: (rig, time) => together((victims[time] ?? []).map((victim) => faultOf(victim, rig))),
  };
  const outcome = await runCase(rig, killing, { times: killing.times, actors: 3, limit });
  assert.equal([outcome.lost, outcome.wrong.slice(0, 10)], [[], []]);
  // Each ended once, so none ended because of another one.
  assert.equal([...rig.ended].toSorted(), ["Postgres", "account", "gateway", "social"]);
  assert.ok(outcome.recovery <= limit, `${outcome.recovery} s`);
  assert.ok(outcome.acknowledged > 20 && outcome.errors.size > 0, JSON.stringify(outcome));
});

/** Changes by SQL that are not in the ledger, and what must be found of each. */
const plants: [what: string, sql: string, undo: string, found: RegExp][] = [
  [
    "a deleted status whose counters are right",
    `with newest as (select author_id, max(id) as id from social.status where repost_of_id is null group by 1 limit 1),
       gone as (delete from social.status using newest where status.author_id = newest.author_id and status.id = newest.id
                returning status.*),
       kept as (insert into public.kept select * from gone)
     update social.profile set statuses_count = statuses_count - 1, content_version = content_version + 1,
       last_status_id = (select max(id) from social.status s where s.author_id = user_id and s.id <> gone.id),
       last_unrestricted_id = (select max(id) from social.status s where s.author_id = user_id and s.id <> gone.id)
     from gone where user_id = gone.author_id`,
    `with back as (insert into social.status select * from public.kept returning author_id, id)
     update social.profile set statuses_count = statuses_count + 1, content_version = content_version + 1,
       last_status_id = greatest(last_status_id, back.id),
       last_unrestricted_id = greatest(last_unrestricted_id, back.id) from back where user_id = back.author_id`,
    /^lost status \d+ (kept|turn|probe) \d+: acknowledged, and not in the tables$/m,
  ],
  [
    "a status that is stored twice",
    `insert into public.kept select * from social.status where repost_of_id is null limit 1;
     update public.kept set id = id + 1;
     insert into social.status select * from public.kept`,
    "delete from social.status using public.kept where status.author_id = kept.author_id and status.id = kept.id",
    /^wrong status .*: 2 times in the tables$/m,
  ],
  [
    "a follow that no recorded write made",
    `insert into social.follow select a.user_id, b.user_id from social.profile a, social.profile b
     where a.user_id <> b.user_id and a.screen_name like 'prober%' limit 1`,
    "delete from social.follow using social.profile where follower_id = profile.user_id and screen_name like 'prober%'",
    /^wrong follow \d+ \d+: no recorded write made this$/m,
  ],
  [
    "a wrong counter",
    "update social.profile set friends_count = friends_count + 1, content_version = content_version + 1 where screen_name like 'prober%'",
    "update social.profile set friends_count = friends_count - 1 where screen_name like 'prober%'",
    /^wrong drift: friends_count of \d+ 0 is 1, counted 0$/m,
  ],
];

for (const [what, sql, undo, found] of plants) {
  Faults(`are detected: ${what}`, async () => {
    await rig.query("drop table if exists public.kept; create table public.kept (like social.status)");
    for (const statement of sql.split(";\n")) await rig.query(statement);
    const { lost, wrong } = await compare(rig, client);
    await rig.query(undo);
    assert.match([...lost.map((text) => `lost ${text}`), ...wrong.map((text) => `wrong ${text}`)].join("\n"), found);
  });
}

Faults("are detected: a write that was acknowledged but not made", async () => {
  const [{ user } = {}] = await rig.query("select user_id::text as user from social.profile limit 1");
  rig.ledger.begin({ kind: "publish", user: user as string, text: "never" })("acknowledged", "1");
  const { lost } = await compare(rig, client);
  assert.equal(lost, [`status ${user} never: acknowledged, and not in the tables`]);
});

Faults("are detected: unknown replies, and failures without a fault", () => {
  const tally = new Tally();
  tally.begin("public")("503");
  const early = tally.begin("rpc");
  tally.breaks();
  for (const answer of ["503", "504", "200"]) tally.begin("public")(answer);
  for (const answer of ["Unavailable", "Aborted", "Ok"]) tally.begin("rpc")(answer);
  early("DeadlineExceeded");
  tally.begin("public")("500");
  tally.begin("public")("broken");
  const late = tally.begin("rpc");
  tally.heals();
  late("Unavailable");
  tally.begin("rpc")("Unavailable");
  const found = tally.strays.map((text) => text.replace(/ after \d+ ms/, ""));
  assert.equal(found, [
    "public 503, with nothing broken",
    "public 500, which is not allowed",
    "public broken, which is not allowed",
    "rpc Unavailable, with nothing broken",
  ]);
});

Faults("are detected: growing memory and open files of a process", () => {
  const early = { memory: 150, descriptors: 60 };
  assert.not.ok(hasGrown(early, { memory: 200, descriptors: 70 }));
  assert.ok(hasGrown(early, { memory: 230, descriptors: 60 }));
  assert.ok(hasGrown(early, { memory: 150, descriptors: 80 }));
  const before = heldBy(process.pid);
  const files = Array.from({ length: 40 }, () => openSync(process.execPath, "r"));
  const kept = Buffer.alloc(100 << 20, 1);
  assert.ok(heldBy(process.pid).descriptors >= before.descriptors + 40);
  assert.ok(heldBy(process.pid).memory >= before.memory + 90, `${kept.length} bytes more`);
  for (const file of files) closeSync(file);
});

Faults("are detected: a process that ended because of another one", () => {
  assert.equal(unexpectedEnds(["gateway", "social"], ["gateway"]), ["social ended by itself"]);
});

Faults.run();

function faultOf(name: string, rig: Rig): Fault {
  const found = kills.find((kill) => kill.name === name);
  if (found === undefined) throw new Error(`no case is called ${name}`);
  return found.fault(rig, 0);
}

function together(faults: readonly Fault[]): Fault {
  return {
    begin: async () => void (await Promise.all(faults.map(async (fault) => fault.begin()))),
    holdMs: Math.max(...faults.map(({ holdMs }) => holdMs)),
    end: async () => void (await Promise.all(faults.map(async (fault) => fault.end()))),
  };
}
