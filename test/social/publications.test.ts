import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import { withTimeout } from "../../services/platform/with-timeout.ts";
import { type Person, person, profileOf, publish, timelineOf } from "../support/people.ts";
import { sharedCluster } from "../support/postgres.ts";
import { refusalOf } from "../support/refusal.ts";
import { useSharedServices } from "../support/shared-services.ts";
import { suite } from "../support/suite.ts";
import { whileLocked } from "./drift.ts";

const Publications = suite("concurrent publications");
let people: Person[];

const services = useSharedServices(Publications);
Publications.before.each(async () => {
  people = [];
  for (let index = 0; index < 12; index++) people.push(await person(services, "pub"));
});

const published = (authorId: bigint, text = "hello", requestId = randomUUID()) =>
  services.clients.statuses.publishStatus({ authorId, text, requestId });

Publications("are committed in one transaction, and each may be repeated with its own answer", async () => {
  const requests = people.map(({ id, name }) => [id, `I am @${name}`, randomUUID()] as const);
  const publishAll = () => Promise.all(requests.map((request) => published(...request)));
  const first = await publishAll();
  assert.equal(
    first.map(({ status }) => [status?.user?.screenName, status?.text, status?.entities?.userMentions[0]?.screenName]),
    people.map(({ name }) => [name, `I am @${name}`, name]),
  );
  const transactions = await services.database.query(
    "select count(distinct xmin::text)::int as count from social.status where author_id = any ($1)",
    [people.map(({ id }) => id)],
  );
  // On a cluster each is a transaction of its own.
  const most = sharedCluster === undefined ? people.length - 1 : people.length;
  assert.ok(Number(transactions[0]?.count) <= most, JSON.stringify(transactions));
  assert.equal(await publishAll(), first);
  for (const [index, author] of people.entries()) {
    assert.equal(await timelineOf(services, author), [first[index]?.status?.id]);
    assert.is((await profileOf(services, author))?.statusesCount, 1);
  }
});

Publications("are made when others in the transaction are repeated or refused, each for its own reason", async () => {
  const [repeated, other, placeless, ...rest] = people as [Person, Person, Person, ...Person[]];
  const used = randomUUID();
  const first = await published(repeated.id, "once", used);
  const unlocated = {
    authorId: placeless.id,
    text: "here",
    requestId: randomUUID(),
    point: { latitude: 1, longitude: 1 },
  };
  const [again, foreign, unknown, located, ...made] = await Promise.all([
    published(repeated.id, "once", used),
    refusalOf(published(repeated.id, "another", used)),
    refusalOf(published(99_000_000n)),
    refusalOf(services.clients.statuses.publishStatus(unlocated)),
    ...[other, ...rest].map(({ id }) => published(id)),
  ]);
  assert.equal(again, first);
  assert.equal([foreign.code, foreign.fields], ["InvalidArgument", ["requestId Equal"]]);
  assert.equal([unknown.code, located.code], ["Unavailable", "PermissionDenied"]);
  assert.equal(await Promise.all([repeated, placeless, other, ...rest].map((author) => timelineOf(services, author))), [
    [first.status?.id],
    [],
    ...made.map(({ status }) => [status?.id]),
  ]);
});

Publications.run();

// More writes than run at once in a process.
const many = 9;
const Locked = suite("writes for authors whose rows another process has locked");
let locked: Person[];
let other: Person;

useSharedServices(Locked);
Locked.before(async () => {
  locked = [];
  for (let index = 0; index < many; index++) locked.push(await person(services, "locked"));
  other = await person(services, "other");
});

/** Milliseconds: a fraction of the time for which a write waits for a row. */
const soon = 5_000;

for (const [title, count, writes] of [
  ["one author", 1, 50],
  ["nine authors", many, 6],
] as const) {
  Locked(`do not delay those of other authors: ${writes} for each of ${title}`, async () => {
    const users = locked.slice(0, count);
    let ended = 0;
    let waiting: Promise<unknown>[] = [];
    const ids = users.map(({ id }) => id);
    await whileLocked(services, ids, async () => {
      waiting = users.flatMap((author) =>
        Array.from({ length: writes }, () => publish(services, author).finally(() => ended++)),
      );
      await withTimeout(soon, publish(services, other));
      assert.is(ended, 0);
      for (let index = 0; index < 5; index++) await withTimeout(soon, publish(services, other));
    });
    // The locks are released: the writes that waited run.
    await Promise.all(waiting);
    for (const author of users) assert.ok((await timelineOf(services, author)).length >= writes);
  });
}

Locked.run();
