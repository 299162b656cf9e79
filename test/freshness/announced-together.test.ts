import * as assert from "uvu/assert";
import { type Person, person, publish } from "../support/people.ts";
import { sharedCluster } from "../support/postgres.ts";
import { startTestRedisFor } from "../support/redis.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Together = suite("announcements of the same moment");
const redis = await startTestRedisFor("announcements of the same moment");
const test = redis ? Together : Together.skip;
let services: TestServices;

Together.before(async () => {
  services = await startTestServices({ REDIS_URL: redis?.url, FRESHNESS_MS: "60000", REDIS_TIMEOUT_MS: "10000" });
});
Together.after(async () => {
  await services?.stop();
  await redis?.stop();
});

const send = async (command: string) => (await redis?.send(command)) ?? "";
const deletions = async () => Number(/cmdstat_del:calls=(\d+)/.exec(await send("INFO commandstats"))?.[1] ?? 0);

test("delete all their tokens with few commands", async () => {
  const people: Person[] = [];
  while (people.length < 12) people.push(await person(services, "herald"));
  for (const { name } of people) await send(`SET fresh:{${name}} old`);
  const before = await deletions();
  await Promise.all(people.map((author) => publish(services, author)));
  for (const { name } of people) assert.match(await send(`EXISTS fresh:{${name}}`), /^:0/, name);
  const used = (await deletions()) - before;
  // On a cluster each is a transaction of its own: only those that happen to commit together are announced together.
  const most = sharedCluster === undefined ? people.length / 2 - 1 : people.length;
  assert.ok(used >= 1 && used <= most, `${used} commands`);
});

Together.run();
