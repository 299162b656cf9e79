import * as assert from "uvu/assert";
import { eventually } from "../support/eventually.ts";
import { launch } from "../support/launch.ts";
import { freePort } from "../support/listen.ts";
import { type Person, person, publish } from "../support/people.ts";
import { scrape } from "../support/scrape.ts";
import { suite } from "../support/suite.ts";
import { useSystem } from "../support/system.ts";
import { type EventStream, openStream } from "./event-stream.ts";

const Limits = suite("limits of live streams");
const port = await freePort();
const admin = `http://127.0.0.1:${port}`;
const system = useSystem(Limits, {
  STREAMS_PER_ADDRESS: "2",
  MAX_STREAMS: "4",
  TRUST_PROXY: "loopback",
  GATEWAY_ADMIN_PORT: `${port}`,
});
let ann: Person;
const opened: EventStream[] = [];

Limits.before(async () => {
  ann = await person(system, "ann");
});
Limits.after.each(async () => {
  for (const stream of opened.splice(0)) stream.cut();
  await openStreams(0);
});

const path = () => `/social/${ann.name}/timelines/live`;

async function open(address: string, url = system.url) {
  const stream = await openStream(url, path(), { "x-forwarded-for": address });
  opened.push(stream);
  return stream;
}
const openStreams = (count: number) =>
  eventually(
    `${count} open streams`,
    async () => (await scrape(admin)).value('roost_live_streams{state="open"}') === count,
  );
const codeOf = async (stream: EventStream) => {
  await stream.ended();
  return JSON.parse(stream.text()).responseStatus.errorCode;
};

Limits("gives one address so many streams and the gateway so many, and harms no other by a refusal", async () => {
  const first = [await open("192.0.2.1"), await open("192.0.2.1")];
  const third = await open("192.0.2.1");
  assert.equal([third.status, await codeOf(third)], [429, "TooManyRequests"]);
  const others = [await open("2001:db8::1"), await open("2001:db8::2")];
  assert.is((await open("2001:db8::3")).status, 429, "one /64 counts as one address");
  const fifth = await open("192.0.2.2");
  assert.equal([fifth.status, await codeOf(fifth)], [503, "ServiceUnavailable"]);
  assert.ok(fifth.headers["retry-after"]);
  await publish(system, ann, "hello");
  for (const stream of [...first, ...others]) assert.equal(await stream.statuses(1), ["hello"]);
  first[0]?.cut();
  await openStreams(3);
  assert.is((await open("192.0.2.1")).status, 200);
});

Limits("counts streams, hints and the time to an event", async () => {
  const before = await scrape(admin);
  const stream = await open("192.0.2.1");
  await openStreams(1);
  await publish(system, ann, "counted");
  await stream.statuses(1);
  await eventually("a hint", async () => {
    const now = await scrape(admin);
    const grown = (name: string) => now.value(name) - before.value(name);
    return grown("roost_live_lag_seconds_count") === 1 && grown("roost_live_hints_total") > 0;
  });
});

Limits("disconnects a client that does not read, and no other", async () => {
  const [slow, fast] = [await open("192.0.2.1"), await open("192.0.2.2")];
  await openStreams(2);
  slow.pause();
  await system.database.query(
    `with many as (
       insert into social.status (author_id, id, text, source, created_at, entities)
       select $1::bigint, social.next_id(clock_timestamp()) + number, repeat('x', 20000), 'test', now(),
         '{"urls":[],"userMentions":[],"hashtags":[]}'
       from generate_series(1, 1000) as number returning id
     ) update social.profile set content_version = content_version + 1,
         (last_status_id, id_watermark) = (select max(id), max(id) from many) where user_id = $1`,
    [ann.id],
  );
  await openStreams(1);
  await fast.statuses(1_000);
  assert.not.ok(fast.isEnded());
});

Limits("ends all streams at a stop, which does not wait for them, and tells clients when to come back", async () => {
  const env = { ACCOUNT_URL: system.accountUrl, SOCIAL_URL: system.socialUrl };
  const other = await launch("gateway", env, system);
  const streams = [await open("192.0.2.1", other.url), await open("192.0.2.2", other.url)];
  await eventually("the first blocks", async () => streams.every(({ blocks }) => blocks.length > 0));
  await other.close();
  for (const stream of streams) {
    await stream.ended();
    assert.ok(stream.text().endsWith("\n\nretry: 1000\n\n"), stream.text());
  }
});

Limits.run();
