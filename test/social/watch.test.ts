import { toJson } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import pg from "pg";
import * as assert from "uvu/assert";
import { type Status, StatusSchema } from "../../proto/gen/social/v1/statuses_pb.ts";
import { type Reading, WatchService } from "../../proto/gen/social/v1/watch_service_pb.ts";
import { createServiceTransport } from "../../services/platform/connect/client.ts";
import { eventually } from "../support/eventually.ts";
import { type Person, person, publish, usePeople } from "../support/people.ts";
import { useServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Watch = suite("watch");
const services = useServices(Watch);
const [ann, bea, cid, dan, eve] = usePeople(Watch, services, "ann", "bea", "cid", "dan", "eve");

const watchers: AbortController[] = [];
const leave = () => {
  for (const watcher of watchers.splice(0)) watcher.abort();
};
Watch.after.each(leave);

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
  const ended = Promise.allSettled([read()]).finally(close);
  await eventually("a response", async () => isConnected);
  return { told, ended };
}

Watch("tells every watcher whose statuses were published, deleted or hidden, each time once", async () => {
  const all = [await watch(), await watch()];
  const expected: bigint[] = [];
  const isTold = async ({ id }: Person) => {
    expected.push(id);
    await eventually(`${expected}`, async () => all.every(({ told }) => `${told}` === `${expected}`));
  };
  const { id } = await publish(services, ann);
  await isTold(ann);
  await services.clients.people.deleteStatus({ userId: ann.id, id });
  await isTold(ann);
  for (const change of ["suspend", "reinstate"] as const) {
    await services.clients.moderation[change]({ userId: bea.id });
    await isTold(bea);
  }
});

Watch("ends all calls when the service stops, which does not wait for them", async () => {
  const { ended } = await watch();
  await services.stopSocial();
  await ended;
  await services.startSocial();
});

Watch("asks the database for all watchers together, and only while there are any", async () => {
  let looks = 0;
  const query = pg.Client.prototype.query;
  pg.Client.prototype.query = function (this: pg.Client, statement: { name?: string }, ...rest: unknown[]) {
    if (statement.name === "list-published") looks++;
    return (query as (...all: unknown[]) => unknown).call(this, statement, ...rest);
  } as typeof query;
  const isQuiet = async () => {
    const before = looks;
    await publish(services, ann);
    await publish(services, ann);
    return looks === before;
  };
  try {
    await eventually("nobody watches", isQuiet);
    const [first] = [await watch(), await watch(), await watch()];
    await publish(services, ann);
    await eventually("a hint", async () => first.told.length > 0);
    leave();
    await eventually("nobody watches", isQuiet);
  } finally {
    pg.Client.prototype.query = query;
  }
});

/** How far a reader has come in a home, or in the timeline of an author. */
interface Place {
  viewerId: bigint;
  authorId: bigint;
  screenName: string;
  cursor: string;
}

Watch("reads together for many readers what it reads for each alone, and goes on after each status", async () => {
  const { people, watch } = services.clients;
  const readers = await Promise.all(Array.from({ length: 5 }, (_, index) => person(services, `reader${index}`)));
  const [plain, muting, blocking, blocked, notified] = readers as [Person, Person, Person, Person, Person];
  for (const { id: userId } of readers) {
    for (const { name: screenName } of [ann, bea, eve])
      await people.followUser({ userId, screenName, notifications: userId === notified.id });
  }
  await people.muteUser({ userId: muting.id, screenName: bea.name });
  await people.blockUser({ userId: blocking.id, screenName: cid.name });
  await people.blockUser({ userId: cid.id, screenName: blocked.name });
  const original = await publish(services, cid, "original");
  await people.markStatus({ userId: plain.id, screenName: cid.name, id: original.id, favorited: true });
  const old = await publish(services, ann, "old");
  const places: Place[] = [
    ...readers.map(({ id }) => ({ viewerId: id, authorId: 0n, screenName: "", cursor: "" })),
    ...[0n, blocked.id, muting.id].map((viewerId) => ({
      viewerId,
      authorId: ann.id,
      screenName: ann.name,
      cursor: "",
    })),
  ];
  for (const place of places) place.cursor = (await watch.readNews(place)).reading?.cursor ?? "";
  for (const author of [ann, bea, dan, ann]) await publish(services, author, `by ${author.name}`);
  await people.markStatus({ userId: ann.id, screenName: cid.name, id: original.id, retweeted: true });
  await people.updateProfile({ userId: eve.id, protected: true });
  await publish(services, eve, "for followers");
  await people.deleteStatus({ userId: ann.id, id: old.id });

  const shown = (reading: Reading | undefined, statuses: Status[]) => ({
    news: (reading?.news ?? []).map(({ index }) => JSON.stringify(toJson(StatusSchema, statuses[index] as Status))),
    removals: reading?.removals.toSorted(),
  });
  const readAlone = async (place: Place, cursor = place.cursor) => {
    const { reading, statuses } = await watch.readNews({ ...place, cursor });
    return shown(reading, statuses);
  };
  const alone = await Promise.all(places.map((place) => readAlone(place)));
  assert.is(alone.map(({ news }) => news.length).join(), "5,4,4,4,5,3,2,3");
  for (const authorIds of [[], [ann.id, bea.id, cid.id, eve.id]]) {
    const { readings, statuses } = await watch.readNewsOfMany({ places, authorIds });
    const together = readings.map((reading) => shown(reading, statuses));
    assert.equal(together, alone);
    for (const [index, { news, cursor }] of readings.entries()) {
      for (const [at, one] of [...news, { cursor }].entries()) {
        const left = await readAlone(places[index] as Place, one.cursor);
        assert.equal(left.news, alone[index]?.news.slice(at + 1));
      }
    }
  }
  // After the news of one author, those of the others are still to come.
  const { readings, statuses } = await watch.readNewsOfMany({ places, authorIds: [ann.id] });
  for (const [index, reading] of readings.entries()) {
    const left = await readAlone(places[index] as Place, reading.cursor);
    const news = [...shown(reading, statuses).news, ...left.news];
    assert.equal(news.toSorted(), alone[index]?.news.toSorted());
  }
});

Watch.run();
