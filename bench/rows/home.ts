import pg from "pg";
import { recordReplies } from "../baselines/recording.ts";
import { allNames } from "../dataset/datasets.ts";
import type { Target } from "../load/load.ts";
import { sendRequest } from "../load/send-request.ts";
import type { Figures, Row, Run } from "../row.ts";
import type { SideSystem } from "../side.ts";
import { drawOf, perSecondOf, takeTurn, uncached, warmUpFor } from "./reads.ts";
import { bearer, registerViewer } from "./targets.ts";

/** Homes: nothing of them is ever cached. */
export const homes: readonly Row[] = [
  {
    name: "home",
    title: "home of 20, 200 followed",
    unit: "ms of processor, all processes",
    floor: { atMost: 1.6 },
    async prepare(side, run) {
      const system = await side.system(uncached);
      const targets = await homesOf(system, 50, 200);
      await warmUpFor(system, drawOf(targets), run);
      return async () => {
        const turn = await takeTurn(system, drawOf(targets), run);
        return { ...turn, value: turn.processorMs ?? Number.NaN };
      };
    },
  },
  {
    name: "home-poll",
    title: "the same, polled by newer without news",
    unit: "a second",
    floor: { atLeast: 2_000 },
    async prepare(side, run) {
      const system = await side.system(uncached);
      const targets = await Promise.all((await homesOf(system, 50, 200)).map((home) => pollOf(system, home)));
      return perSecondOf(system, targets, run);
    },
  },
  {
    name: "home-5000",
    title: "home of 20, 5,000 followed, one after the other",
    unit: "ms, p99",
    floor: { atMost: 80 },
    async prepare(side, run) {
      const system = await side.system(uncached);
      const [home] = await homesOf(system, 1, 5_000);
      return () => readAlone(system, home as Target, run);
    },
  },
];

/** Homes of new viewers, each of whom follows so many authors, a different part of all. */
async function homesOf({ url, databaseUrl }: SideSystem, count: number, followed: number): Promise<Target[]> {
  const viewers = await Promise.all(Array.from({ length: count }, () => registerViewer(url)));
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `insert into social.follow (follower_id, user_id)
       select viewer.id, author.user_id from unnest($1::bigint[]) with ordinality as viewer (id, place), lateral (
         select user_id, row_number() over (order by user_id) as number from social.profile where screen_name like 'author%'
       ) as author
       where (number + place * 37) % $2 < $3`,
      [viewers.map(({ userId }) => userId), allNames.length, followed],
    );
    await client.query("analyze social.follow");
  } finally {
    await client.end();
  }
  const targets = viewers.map((viewer) => ({ path: "/timelines/home?take=20", headers: bearer(viewer) }));
  await recordReplies(url, targets, 200);
  return targets;
}

async function pollOf({ url }: SideSystem, { path, headers }: Target): Promise<Target> {
  const { body } = await sendRequest(url, path, headers);
  const { newer } = JSON.parse(Buffer.from(body).toString()) as { newer: string };
  return { path: `${path}&cursor=${newer}`, headers };
}

/** One client, who waits for each answer. */
async function readAlone({ url }: SideSystem, { path, headers }: Target, { seconds }: Run): Promise<Figures> {
  const times: number[] = [];
  for (const end = performance.now() + seconds * 1_000; performance.now() < end; ) {
    const begin = performance.now();
    await sendRequest(url, path, headers);
    times.push(performance.now() - begin);
  }
  times.sort((a, b) => a - b);
  const p99 = times[Math.floor(times.length * 0.99)] ?? Number.NaN;
  return { value: p99, p99, perSecond: times.length / seconds };
}
