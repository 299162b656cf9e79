import { setTimeout as sleep } from "node:timers/promises";
import { type Client, createClient } from "@connectrpc/connect";
import { StatusService } from "../proto/gen/social/v1/status_service_pb.ts";
import { connect } from "./connect.ts";
import { chooseDriver } from "./load/driver.ts";
import type { Draw, Target } from "./load/load.ts";
import { randomNumbers } from "./load/random-numbers.ts";
import { zipfDraw } from "./load/zipf.ts";
import { createPeople, type People } from "./people.ts";
import { publishStatuses } from "./publish-statuses.ts";
import type { Row } from "./results/row.ts";
import { currentMemories, peakMemories } from "./system/memory.ts";
import type { BenchSystem } from "./system/start-system.ts";
import { withEmptySystem } from "./system/with-empty-system.ts";
import type { Plan } from "./trials/plan.ts";
import { signedIn } from "./trials/prepare-draw.ts";

/** Enough that their pages do not all fit into the gateway. */
const authors = 1_000;
const statusesEach = 20;
const connections = 64;
/** Each makes all pages of its author anew. */
const publishedPerSecond = 50;
const drawLength = 100_000;

/**
 * Some minutes of all kinds of reads at once, cached, compressed, as JSONP, in batches, of profiles and signed in, while statuses
 * are published. A row for each minute, with the memory of each process at its end, and one with the most of all.
 */
export function measureSoak({ sizes: { soak: minutes } }: Plan): Promise<Row[]> {
  return withEmptySystem(async (system) => {
    const social = connect(system.socialUrl);
    try {
      const people = await createPeople(social.transport, authors);
      const client = createClient(StatusService, social.transport);
      await publishStatuses(client, people, authors * statusesEach);
      const draw = await mixOf(system, people);
      const rows: Row[] = [];
      for (let minute = 1; minute <= minutes; minute++) {
        rows.push(await runMinute(system, minute, draw, client, people));
        console.error(JSON.stringify(rows.at(-1)));
      }
      return [...rows, { name: "soak", title: `soak of ${minutes} minutes, at most`, figures: peakMemories(system) }];
    } finally {
      social.close();
    }
  });
}

async function runMinute(
  system: BenchSystem,
  minute: number,
  draw: Draw,
  client: Client<typeof StatusService>,
  people: People,
): Promise<Row> {
  const seconds = 60;
  const reading = chooseDriver().load(system.url, draw, { connections, seconds });
  const [read, published] = await Promise.all([reading, publishFor(seconds, minute, client, people)]);
  const figures = {
    "requests/s": read.perSecond,
    errors: read.errors,
    "statuses/s": published / seconds,
    ...currentMemories(system),
  };
  return { name: `soak, minute ${minute}`, title: `soak, minute ${minute}`, figures };
}

/** Publishes at an even pace, on a slow machine below it; resolves with how many. */
async function publishFor(
  seconds: number,
  seed: number,
  client: Client<typeof StatusService>,
  people: People,
): Promise<number> {
  const random = randomNumbers(seed);
  const end = performance.now() + seconds * 1_000;
  let published = 0;
  while (performance.now() < end) {
    const pause = sleep(1_000);
    const first = Math.floor(random() * (people.length - publishedPerSecond));
    const some = people.slice(first, first + publishedPerSecond);
    published += (await publishStatuses(client, some, publishedPerSecond)).length;
    await pause;
  }
  return published;
}

/** Each kind of read as often as the others, of authors by Zipf. */
async function mixOf(system: BenchSystem, people: People): Promise<Draw> {
  const names = people.map(({ name }) => name);
  const kinds = kindsOfReads(names);
  const [plain = []] = kinds;
  kinds.push(await signedIn(system.url, plain, "bearer"));
  const random = randomNumbers(1);
  const order = zipfDraw(names.length, drawLength).map(
    (author) => Math.floor(random() * kinds.length) * names.length + author,
  );
  return { targets: kinds.flat(), order };
}

/** For each kind a request for each author; plain timelines are the first kind. */
function kindsOfReads(names: readonly string[]): Target[][] {
  const from = (place: number, length: number) => [...names, ...names].slice(place, place + length);
  const json = { "content-type": "application/json" };
  const kinds: ((name: string, place: number) => Target)[] = [
    (name) => ({ path: `/social/${name}/timelines?take=20`, headers: {} }),
    (name) => ({ path: `/social/${name}/timelines?take=200`, headers: { "accept-encoding": "gzip" } }),
    (name) => ({ path: `/social/${name}/timelines?take=20&callback=show`, headers: {} }),
    (_name, place) => ({ path: `/social/${from(place, 100).join(",")}`, headers: {} }),
    (_name, place) => ({
      path: "/json/reply/SocialTimelines[]",
      headers: json,
      body: JSON.stringify(from(place, 10).map((screenName) => ({ screenName, take: 20 }))),
    }),
  ];
  return kinds.map((target) => names.map(target));
}
