import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import { contractDate } from "../../services/platform/contract-date.ts";
import { archivedTweet, xZip } from "../archives/archive-samples.ts";
import { startCli } from "../cli/run-cli.ts";
import { times } from "../support/long.ts";
import { register } from "../support/people.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Killed = suite("endurance: killed imports");
const kills = times(4, 20);
const statuses = times(1_500, 2_500);
let services: TestServices;
let directory = "";

Killed.before(async () => {
  services = await startTestServices();
  directory = await mkdtemp(join(tmpdir(), "roost-test-"));
});
Killed.after(async () => {
  await rm(directory, { recursive: true });
  await services.stop();
});

Killed(`that are repeated after ${kills} kills store the same as one without, and can be undone`, async () => {
  const path = join(directory, "archive.zip");
  await writeFile(path, xZip(Array.from({ length: statuses }, (_, index) => threadedTweet(index))));
  const [unkilled, killed] = [await register(services, "unkilled"), await register(services, "killed")];

  const start = performance.now();
  const whole = await startCli(["import", path, "--as", "unkilled"], env()).ended;
  const duration = performance.now() - start;
  assert.is(whole.code, 0);

  const counts = new Set<number>();
  for (let kill = 0; kill < kills; kill++) {
    const command = ["import", path, "--as", "killed"];
    // In turns after a time, and when more is stored: on a busy machine that time may end before anything is sent.
    const end = duration * 0.7 * (kill / kills) * jitter(kill);
    const isTime =
      kill % 2 === 0 ? after(end) : async () => (await storedCount(killed)) > (statuses * (kill - 1)) / kills;
    await killedWhen(command, isTime);
    counts.add(await storedCount(killed));
  }
  const last = await startCli(["import", path, "--as", "killed"], env()).ended;
  assert.is(last.code, 0);
  assert.is(await storedCount(killed), statuses);
  assert.ok(
    [...counts].some((count) => count > 0 && count < statuses),
    `stopped half-way at ${[...counts].join(", ")}`,
  );
  assert.equal(await rowsOf(killed), await rowsOf(unkilled));

  const job = /^job (\S+)/.exec(last.out)?.[1] as string;
  for (let kill = 0; kill < times(1, 5); kill++)
    await killedWhen(["import", "--undo", job], after(duration * 0.3 * jitter(kill)));
  assert.is((await startCli(["import", "--undo", job], env()).ended).code, 0);
  assert.is(await storedCount(killed), 0);
  assert.is(await storedCount(unkilled), statuses);
  assert.equal((await rowsOf(killed)).profile, { statuses_count: 0, last_status_id: null });
});

Killed.run();

function env() {
  return { ACCOUNT_URL: services.accountUrl, SOCIAL_URL: services.socialUrl };
}

/** Every second tweet answers the one before, seven have the same second, and the newest is the first in the file. */
function threadedTweet(index: number) {
  const number = statuses - index;
  const date = new Date(Date.UTC(2020, 0, 1) + Math.floor(number / 7) * 1_000);
  return archivedTweet(`${1_000_000 + number}`, {
    created_at: contractDate(date),
    ...(number % 2 === 0 && {
      in_reply_to_status_id_str: `${1_000_000 + number - 1}`,
      in_reply_to_user_id_str: "2244994945",
      in_reply_to_screen_name: "old_name",
    }),
  });
}

function jitter(index: number): number {
  return 0.9 + 0.2 * ((index * 0.618) % 1);
}

/** Whether so many milliseconds have passed. */
function after(ms: number): () => Promise<boolean> {
  const end = performance.now() + ms;
  return async () => performance.now() >= end;
}

async function killedWhen(args: string[], isTime: () => Promise<boolean>): Promise<void> {
  const { child, ended } = startCli(args, env());
  let isOver = false;
  void ended.then(() => (isOver = true));
  while (!isOver && !(await isTime())) await sleep(5);
  child.kill("SIGKILL");
  await ended;
}

async function storedCount(authorId: bigint): Promise<number> {
  const [row] = await services.database.query("select count(*)::int from social.status where author_id = $1", [
    authorId,
  ]);
  return row?.count as number;
}

/** Everything that is stored for an author, without the author's ids, for comparison. */
async function rowsOf(authorId: bigint) {
  const rows = await services.database.query(
    `select id - author_id % 128 as id, in_reply_to_status_id - author_id % 128 as answered,
            in_reply_to_user_id = author_id as own, replace(in_reply_to_screen_name, screen_name, '') as name,
            status.created_at, text, source, entities, retweet_count, truncated, status.origin, status.origin_id
     from social.status join social.profile on user_id = author_id where author_id = $1 order by id`,
    [authorId],
  );
  const [profile] = await services.database.query(
    "select statuses_count, last_status_id - user_id % 128 as last_status_id from social.profile where user_id = $1",
    [authorId],
  );
  return { count: rows.length, digest: createHash("sha256").update(JSON.stringify(rows)).digest("hex"), profile };
}
