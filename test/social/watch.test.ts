import { toJson } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import pg from "pg";
import * as assert from "uvu/assert";
import { type Status, StatusSchema } from "../../proto/gen/social/v1/statuses_pb.ts";
import { type Reading, WatchService } from "../../proto/gen/social/v1/watch_service_pb.ts";
import { createServiceTransport } from "../../services/platform/connect/client.ts";
import { eventually } from "../support/eventually.ts";
import { type Person, person, publish } from "../support/people.ts";
import { startTestServices, type TestServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Watch = suite("watch");
let services: TestServices;
let ann: Person;
let bea: Person;
/** How often the newest statuses were asked for. */
let looks = 0;
const query = pg.Client.prototype.query;
const watchers: AbortController[] = [];

Watch.before(async () => {
  pg.Client.prototype.query = function (this: pg.Client, statement: { name?: string }, ...rest: unknown[]) {
    if (statement.name === "list-published") looks++;
    return (query as (...all: unknown[]) => unknown).call(this, statement, ...rest);
  } as typeof query;
  services = await startTestServices();
  [ann, bea] = [await person(services, "ann"), await person(services, "bea")];
});
Watch.after(async () => {
  pg.Client.prototype.query = query;
  await services.stop();
});
Watch.after.each(() => {
  for (const watcher of watchers.splice(0)) watcher.abort();
});

/** Watches, and resolves when the first response has come. Gives the users of all later ones. */
async function watch(): Promise<{ told: bigint[]; ended: Promise<unknown> }> {
  const { transport, close } = createServiceTransport({ baseUrl: services.socialUrl, caller: "test" });
  const left = new AbortController();
  watchers.push(left);
  const told: bigint[] = [];
  let isConnected = false;
  const read = async () => {
    const responses = createClient(WatchService, transport).watch({}, { signal: left.signal, timeoutMs: 60_000 });
    for await (const { authorIds } of responses) {
      isConnected = true;
      told.push(...authorIds);
    }
  };
  const ended = read()
    .catch(() => {})
    .finally(close);
  await eventually("a response", async () => isConnected);
  return { told, ended };
}

Watch("tells every watcher whose statuses were published, deleted or hidden, each time once", async () => {
  const all = [await watch(), await watch()];
  const toldOf = (...users: Person[]) =>
    eventually(`${users.map(({ name }) => name)}`, async () =>
      all.every(({ told }) => `${told}` === `${users.map(({ id }) => id)}`),
    );
  // A watcher may be told of what was published in the second before.
  const { id } = await publish(services, ann);
  await toldOf(ann);
  await publish(services, bea);
  await toldOf(ann, bea);
  await services.clients.people.deleteStatus({ userId: ann.id, id });
  await toldOf(ann, bea, ann);
  await services.clients.moderation.suspend({ userId: bea.id });
  await toldOf(ann, bea, ann, bea);
  await services.clients.moderation.reinstate({ userId: bea.id });
  await toldOf(ann, bea, ann, bea, bea);
});

Watch("asks the database for all watchers together, and only while there are any", async () => {
  const isQuiet = async () => {
    const before = looks;
    await publish(services, ann);
    await publish(services, ann);
    return looks === before;
  };
  await eventually("nobody watches", isQuiet);
  const [first] = [await watch(), await watch(), await watch()];
  await publish(services, ann);
  await eventually("a hint", async () => first.told.length > 0);
  for (const watcher of watchers) watcher.abort();
  await eventually("nobody watches", isQuiet);
});

Watch("ends all calls when the service stops, which does not wait for them", async () => {
  const { ended } = await watch();
  await services.stopSocial();
  await ended;
  await services.startSocial();
  const { told } = await watch();
  await publish(services, ann);
  await eventually("a hint", async () => told.includes(ann.id));
});

Watch("reads together for many readers what it reads for each alone, and goes on after each status", async () => {
  const { people, watch } = services.clients;
  const [cid, dan, eve] = [await person(services, "cid"), await person(services, "dan"), await person(services, "eve")];
  const readers = await Promise.all(Array.from({ length: 5 }, (_, index) => person(services, `reader${index}`)));
  const [plain, muting, blocking, blocked, notified] = readers as [Person, Person, Person, Person, Person];
  const followAll = async ({ id: userId }: Person) => {
    for (const { name } of [ann, bea, eve])
      await people.followUser({ userId, screenName: name, notifications: userId === notified.id });
  };
  for (const reader of readers) await followAll(reader);
  await people.muteUser({ userId: muting.id, screenName: bea.name });
  await people.blockUser({ userId: blocking.id, screenName: cid.name });
  await people.blockUser({ userId: cid.id, screenName: blocked.name });
  const original = await publish(services, cid, "original");
  await people.markStatus({ userId: plain.id, screenName: cid.name, id: original.id, favorited: true });
  const old = await publish(services, ann, "old");
  const homes = readers.map(({ id }) => ({ viewerId: id, authorId: 0n, screenName: "" }));
  const timelines = [0n, blocked.id, muting.id].map((viewerId) => ({
    viewerId,
    authorId: ann.id,
    screenName: ann.name,
  }));
  const places = await Promise.all(
    [...homes, ...timelines].map(async (place) => ({
      ...place,
      cursor: `${(await watch.readNews(place)).reading?.cursor}`,
    })),
  );
  for (const author of [ann, bea, dan, ann]) await publish(services, author, `by ${author.name}`);
  await people.markStatus({ userId: ann.id, screenName: cid.name, id: original.id, retweeted: true });
  await people.updateProfile({ userId: eve.id, protected: true });
  await publish(services, eve, "for followers");
  await people.deleteStatus({ userId: ann.id, id: old.id });
  const shown = (reading: Reading | undefined, statuses: Status[]) => ({
    news: reading?.news.map(({ index }) => toJson(StatusSchema, statuses[index] as Status)),
    removals: reading?.removals.toSorted(),
  });
  const alone = await Promise.all(
    places.map(async (place) => {
      const { reading, statuses } = await watch.readNews(place);
      return shown(reading, statuses);
    }),
  );
  assert.equal(
    alone.map(({ news }) => news?.length),
    [5, 4, 4, 4, 5, 3, 2, 3],
  );
  for (const authorIds of [[], [ann.id, bea.id, cid.id, eve.id]]) {
    const { readings, statuses } = await watch.readNewsOfMany({ places, authorIds });
    assert.equal(
      readings.map((reading) => shown(reading, statuses)),
      alone,
    );
    for (const [index, { news, cursor }] of readings.entries()) {
      for (const [at, one] of [...news, { cursor }].entries()) {
        const rest = await watch.readNews({ ...(places[index] as (typeof places)[0]), cursor: one.cursor });
        const left = alone[index]?.news?.slice(at === news.length ? at : at + 1);
        assert.equal(shown(rest.reading, rest.statuses).news, left);
      }
    }
  }
  // After the news of one author, those of the others are still to come.
  const { readings, statuses } = await watch.readNewsOfMany({ places, authorIds: [ann.id] });
  for (const [index, reading] of readings.entries()) {
    const rest = await watch.readNews({ ...(places[index] as (typeof places)[0]), cursor: reading.cursor });
    const news = [shown(reading, statuses), shown(rest.reading, rest.statuses)].flatMap(({ news }) => news ?? []);
    const textOf = (status: unknown) => JSON.stringify(status);
    assert.equal(news.map(textOf).toSorted(), alone[index]?.news?.map(textOf).toSorted());
  }
});

Watch.run();
