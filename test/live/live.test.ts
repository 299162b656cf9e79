import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import { eventually } from "../support/eventually.ts";
import { launch } from "../support/launch.ts";
import { times } from "../support/long.ts";
import { type Statement, whileUncommitted } from "../support/open-transaction.ts";
import { type Person, person, profileOf, publish as publishStatus, registerSignedIn } from "../support/people.ts";
import { suite } from "../support/suite.ts";
import { useSystem } from "../support/system.ts";
import { type EventStream, lastIdOf, openStream, textsOf } from "./event-stream.ts";

const Live = suite("live streams");
const system = useSystem(Live, { STREAMS_PER_ADDRESS: "0" });
let ann: Person;
let bea: Person;
let me: Reader;
let count = 0;
const opened: EventStream[] = [];

interface Reader extends Person {
  sessionId: string;
}

Live.before.each(async () => {
  [ann, bea, me] = [await person(system, "ann"), await person(system, "bea"), await reader()];
});
Live.after.each(() => {
  for (const stream of opened.splice(0)) stream.cut();
});

/** A user who is signed in and has a profile. */
async function reader(): Promise<Reader> {
  const name = `reader${++count}`;
  const { userId: id, sessionId } = await registerSignedIn(system, name);
  await eventually("a profile", async () => (await profileOf(system, { id })) !== undefined);
  return { id, name, sessionId };
}

const people = () => system.clients.people;
const follow = (user: Person, who: Person = me, following = true) =>
  people().followUser({ userId: who.id, screenName: user.name, following });
const publish = (author: Person, text: string) => publishStatus(system, author, text);
const remove = (author: Person, id: bigint) => people().deleteStatus({ userId: author.id, id });
const bearer = ({ sessionId }: Reader) => ({ authorization: `Bearer ${sessionId}` });

async function open(path: string, headers: Record<string, string> = {}, url = system.url) {
  const stream = await openStream(url, path, headers);
  opened.push(stream);
  return stream;
}

/** A stream whose first block has come. */
async function begun(path: string, headers: Record<string, string> = {}, url = system.url) {
  const stream = await open(path, headers, url);
  assert.is(stream.status, 200, stream.text());
  await eventually("the first block", async () => stream.blocks.length > 0);
  return stream;
}
const home = (headers: Record<string, string> = {}, who = me, url = system.url) =>
  begun("/timelines/home/live", { ...bearer(who), ...headers }, url);
const timeline = (author: Person, headers: Record<string, string> = {}) =>
  begun(`/social/${author.name}/timelines/live`, headers);
const resets = (stream: EventStream, number: number) =>
  eventually(`${number} resets`, async () => stream.resets() === number);

/** The home and the timeline of ann again, after these ids. */
const again = async ([ofHome = "", ofTimeline = ""]: readonly string[]) => [
  await home({ "last-event-id": ofHome }),
  await timeline(ann, { "last-event-id": ofTimeline }),
];

/** The first result of an operation, as it was sent. */
async function newestOf(path: string, headers: Record<string, string> = {}): Promise<string | undefined> {
  const text = await (await fetch(`${system.url}${path}`, { headers })).text();
  return /^\{"results":\[(.*?)\](?:,"next".*)?\}$/.exec(text)?.[1];
}

Live("begins with an id alone, and then has each status of the home once, as SocialHome shows it", async () => {
  await follow(ann);
  await publish(ann, "before");
  const stream = await home();
  assert.is(stream.headers["content-type"], "text/event-stream");
  assert.is(stream.headers["cache-control"], "private, no-store");
  assert.is(stream.headers["x-accel-buffering"], "no");
  const [first] = stream.blocks;
  assert.ok(first?.id);
  assert.equal([first?.event, first?.data], [undefined, undefined]);
  await publish(bea, "of nobody whom I follow");
  for (const text of ["one", "two", "three"]) await publish(ann, text);
  await publish(me, "mine");
  assert.equal(await stream.statuses(4), ["one", "two", "three", "mine"]);
  const last = stream.blocks.at(-1);
  assert.equal(["status", await newestOf("/timelines/home?take=1", bearer(me))], [last?.event, last?.data]);
});

Live("has each status of one user's timeline once, as SocialTimelines shows it", async () => {
  await publish(ann, "before");
  const [anonymous, signedIn] = [await timeline(ann), await timeline(ann, bearer(me))];
  const { id } = await publish(bea, "repeated");
  await publish(ann, "one");
  await people().markStatus({ userId: ann.id, screenName: bea.name, id, retweeted: true });
  const texts = ["one", `RT @${bea.name}: repeated`];
  assert.equal(await anonymous.statuses(2), texts);
  assert.equal(await signedIn.statuses(2), texts);
  const path = `/social/${ann.name}/timelines?take=1`;
  assert.is(anonymous.blocks.at(-1)?.data, await newestOf(path));
  assert.is(signedIn.blocks.at(-1)?.data, await newestOf(path, bearer(me)));
});

Live("goes on after each event, by the header before the query", async () => {
  await follow(ann);
  await follow(bea);
  for (const path of ["/timelines/home/live", `/social/${ann.name}/timelines/live`]) {
    const stream = await begun(path, bearer(me));
    const texts = Array.from({ length: 60 }, (_, index) => `${path} ${index}`);
    for (const text of texts) await publish(ann, text);
    assert.equal(await stream.statuses(60), texts);
    for (const at of [0, 1, 30, 59, 60]) {
      const id = stream.blocks[at]?.id as string;
      const ways = [
        await begun(path, { ...bearer(me), "last-event-id": id }),
        await begun(`${path}?LastEventId=${encodeURIComponent(id)}`, bearer(me)),
        await begun(`${path}?lastEventId=nonsense`, { ...bearer(me), "last-event-id": id }),
      ];
      for (const way of ways) {
        assert.equal(await way.statuses(60 - at), texts.slice(at));
        assert.is(way.blocks[0]?.id, id);
        assert.is(way.resets(), 0);
        way.cut();
      }
    }
  }
});

Live("goes on after the newer of SocialHome", async () => {
  await follow(ann);
  const reply = await fetch(`${system.url}/timelines/home`, { headers: bearer(me) });
  const { newer } = (await reply.json()) as { newer: string };
  await publish(ann, "since");
  assert.equal(await (await home({ "last-event-id": newer })).statuses(1), ["since"]);
});

/** A publication, as the service does it. */
function insertion(author: Person, text: string): Statement {
  return [
    `with author as (
       update social.profile set last_status_id = minted.id, id_watermark = minted.id, content_version = content_version + 1
       from (select social.next_id(clock_timestamp()) as id) as minted where user_id = $1 returning user_id, minted.id
     ) insert into social.status (author_id, id, text, source, created_at, entities)
       select user_id, id, $2, 'test', now(), '{"urls":[],"userMentions":[],"hashtags":[]}' from author`,
    [author.id, text],
  ];
}

Live("gives what was published below statuses that were shown, and never twice", async () => {
  await Promise.all([follow(ann), follow(bea)]);
  const stream = await home();
  await whileUncommitted(system.database.social, [insertion(ann, "slow")], async (transaction) => {
    await publish(bea, "fast");
    assert.equal(await stream.statuses(1), ["fast"]);
    const second = await home({ "last-event-id": stream.lastId() });
    await transaction.commit();
    assert.equal(await stream.statuses(2), ["fast", "slow"]);
    assert.equal(await second.statuses(1), ["slow"]);
    await publish(bea, "last");
    assert.equal(await stream.statuses(3), ["fast", "slow", "last"]);
    assert.equal(await second.statuses(2), ["slow", "last"]);
  });
});

Live("loses and doubles nothing when 32 streams over two gateways are cut at random while 10 users write", async () => {
  const writers = await Promise.all(Array.from({ length: 10 }, (_, index) => person(system, `writer${index}`)));
  for (const writer of writers) await follow(writer);
  const env = { ACCOUNT_URL: system.accountUrl, SOCIAL_URL: system.socialUrl, STREAMS_PER_ADDRESS: "0" };
  const other = await launch("gateway", env, system);
  let isWriting = true;
  let cuts = 0;
  const begins = await Promise.all(Array.from({ length: 32 }, () => home()));
  const published: string[] = [];
  const cutsInAll = times(320, 10_000);
  const write = async (writer: Person, place: number) => {
    for (let index = 0; index < 10 || cuts < cutsInAll; index++) {
      const text = `${writer.name} ${index}`;
      // Those of two users are overtaken by others.
      if (place >= 2) await publish(writer, text);
      else
        await whileUncommitted(system.database.social, [insertion(writer, text)], async (transaction) => {
          await sleep(Math.random() * 400);
          await transaction.commit();
        });
      published.push(text);
      await sleep(Math.random() * 100);
    }
  };
  const readOn = async (begin: EventStream, index: number) => {
    const found: string[] = [];
    let [id, stream] = [begin.lastId(), begin];
    const isMissing = () => found.length + stream.texts().length < published.length;
    // What has not come after so many turns is lost.
    for (let rest = 30; isWriting || (isMissing() && rest-- > 0); ) {
      await sleep(Math.random() * 200);
      stream.cut();
      cuts++;
      // A connection that breaks loses what is on the way, from the middle of a page on.
      const read = stream.blocks.slice(0, Math.ceil(Math.random() * stream.blocks.length));
      found.push(...textsOf(read));
      id = lastIdOf(read) ?? id;
      const { url } = (index + cuts) % 2 === 0 ? system : other;
      stream = await open("/timelines/home/live", { ...bearer(me), "last-event-id": id }, url);
      assert.is(stream.status, 200);
    }
    // Anything doubled would come soon.
    await sleep(200);
    return [...found, ...stream.texts()];
  };
  const reading = Promise.all(begins.map(readOn));
  await Promise.all(writers.map(write));
  isWriting = false;
  const found = await reading.finally(() => other.close());
  for (const one of found) assert.equal(one.toSorted(), published.toSorted());
  assert.ok(cuts >= cutsInAll);
});

Live("tells when something that was shown is gone, also a reader who comes back", async () => {
  await follow(ann);
  const [{ id: old }, { id: older }] = [await publish(ann, "old"), await publish(ann, "older")];
  const streams = [await home(), await timeline(ann)];
  await remove(ann, old);
  for (const stream of streams) {
    await resets(stream, 1);
    const reset = stream.blocks.at(-1);
    assert.equal([reset?.event, reset?.data], ["reset", "{}"]);
  }
  await publish(ann, "after");
  for (const stream of streams) {
    await stream.statuses(1);
    assert.is(stream.resets(), 1, "it is told once");
    stream.cut();
  }
  const ids = streams.map((stream) => stream.lastId());
  await remove(ann, older);
  await publish(ann, "last");
  for (const stream of await again(ids)) {
    await resets(stream, 1);
    assert.is(stream.blocks[1]?.event, "reset");
    assert.is((await stream.statuses(1)).at(-1), "last");
  }
});

Live("tells when an author is suspended or followed no more; one more needs no new stream", async () => {
  await follow(ann);
  const stream = await home();
  await follow(bea);
  await publish(bea, "hello");
  assert.equal(await stream.statuses(1), ["hello"]);
  await follow(bea, me, false);
  await resets(stream, 1);
  await publish(bea, "unheard");
  await system.clients.moderation.suspend({ userId: ann.id });
  await resets(stream, 2);
  await publish(me, "mine");
  assert.equal(await stream.statuses(2), ["hello", "mine"]);
});

Live("tells a reader who comes back that an author was left meanwhile, in whatever way", async () => {
  const pair = (userId: bigint) => ({ userId, screenName: me.name });
  const ways: [string, (author: Person) => Promise<unknown>][] = [
    ["followed no more", (author) => follow(author, me, false)],
    ["blocked", ({ name }) => people().blockUser({ userId: me.id, screenName: name })],
    ["blocked by the author", ({ id }) => people().blockUser(pair(id))],
    ["removed by the author", ({ id }) => people().answerFollower({ ...pair(id), approved: false })],
    ["muted", ({ name }) => people().muteUser({ userId: me.id, screenName: name })],
    ["deleted", ({ id }) => system.clients.profiles.deleteProfile({ userId: id })],
  ];
  for (const [way, leave] of ways) {
    const author = await person(system, "leaving");
    await follow(author);
    const stream = await home();
    await publish(author, way);
    await stream.statuses(1);
    stream.cut();
    const lastId = stream.lastId();
    await leave(author);
    const later = await home({ "last-event-id": lastId });
    await eventually(`a reset of one who was ${way}`, async () => later.resets() === 1);
    await publish(me, "mine");
    assert.equal(await later.statuses(1), ["mine"], way);
    later.cut();
  }
});

Live("tells when a repost is gone since its original's author is suspended or became protected", async () => {
  const changes: [string, (author: Person) => Promise<unknown>][] = [
    ["suspended", ({ id }) => system.clients.moderation.suspend({ userId: id })],
    ["protected", ({ id }) => people().updateProfile({ userId: id, protected: true })],
  ];
  await follow(ann);
  for (const [way, change] of changes) {
    const author = await person(system, "original");
    const { id } = await publish(author, way);
    const streams = [await home(), await timeline(ann)];
    await people().markStatus({ userId: ann.id, screenName: author.name, id, retweeted: true });
    for (const stream of streams) await stream.statuses(1);
    const ids = streams.map((stream) => stream.lastId());
    await change(author);
    for (const stream of streams) await resets(stream, 1);
    const later = await again(ids);
    for (const stream of later) await resets(stream, 1);
    for (const stream of [...streams, ...later]) stream.cut();
  }
});

Live("begins anew, after a reset, where the id is none of this stream", async () => {
  await follow(ann);
  const { blocks } = await timeline(ann);
  for (const id of ["nonsense", blocks[0]?.id as string, "1"]) {
    const stream = await home({ "last-event-id": id });
    await resets(stream, 1);
    const [first, reset, ...others] = stream.blocks;
    assert.equal([first?.event, first?.data, reset?.event, reset?.data], [undefined, undefined, "reset", "{}"]);
    assert.equal(others, []);
    await publish(ann, id);
    assert.equal(await stream.statuses(1), [id]);
    stream.cut();
  }
});

Live("is refused as the operation is, in the shape of all errors", async () => {
  const refusal = async (path: string, headers: Record<string, string> = {}) => {
    const stream = await open(path, headers);
    await stream.ended();
    assert.is(stream.headers["content-type"], "application/json");
    return `${stream.status} ${JSON.parse(stream.text()).responseStatus.errorCode}`;
  };
  const of = ({ name }: Person) => `/social/${name}/timelines/live`;
  await people().updateProfile({ userId: ann.id, protected: true });
  assert.is(await refusal(of(ann), bearer(me)), "403 Forbidden");
  await people().blockUser({ userId: bea.id, screenName: me.name });
  assert.is(await refusal(of(bea), bearer(me)), "403 Forbidden");
  await system.clients.moderation.suspend({ userId: bea.id });
  assert.is(await refusal(of(bea)), "403 Suspended");
  assert.is(await refusal("/timelines/home/live?callback=show", bearer(me)), "400 InvalidCallback");
  const cookie = { cookie: `ss-id=${me.sessionId}` };
  assert.is(await refusal("/timelines/home/live", { ...cookie, "sec-fetch-site": "cross-site" }), "401 Unauthorized");
  assert.is((await begun("/timelines/home/live", { ...cookie, "sec-fetch-site": "same-origin" })).status, 200);
});

Live("ends when its session ends", async () => {
  const [stream, other] = [await home(), await timeline(ann)];
  await fetch(`${system.url}/auth/logout`, { method: "POST", headers: bearer(me) });
  await stream.ended();
  assert.not.ok(other.isEnded());
});

Live("ends when its reader may no longer read the timeline", async () => {
  await follow(ann);
  const [anonymous, follower] = [await timeline(ann), await timeline(ann, bearer(me))];
  await people().updateProfile({ userId: ann.id, protected: true });
  await anonymous.ended();
  await publish(ann, "for followers");
  assert.equal(await follower.statuses(1), ["for followers"]);
  assert.equal(anonymous.texts(), []);
  await people().blockUser({ userId: ann.id, screenName: me.name });
  await follower.ended();
});

Live("goes on when the social service was restarted", async () => {
  await follow(ann);
  const stream = await home();
  await system.stopSocial();
  const known = await open("/timelines/home/live", { ...bearer(me), "last-event-id": stream.lastId() });
  const anew = await open("/timelines/home/live", bearer(me));
  await Promise.all([known.ended(), anew.ended()]);
  assert.equal([known.status, known.text()], [200, "retry: 1000\n\n"], "an EventSource comes back after that alone");
  assert.is(anew.status, 503);
  await system.startSocial();
  await publish(ann, "after the restart");
  assert.equal(await stream.statuses(1), ["after the restart"]);
});

Live.run();
