import pg from "pg";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { withTimeout } from "../../services/platform/with-timeout.ts";
import { type Person, person, publish, timelineOf } from "../support/people.ts";
import type { TestServices } from "../support/services.ts";
import { useSharedServices } from "../support/shared-services.ts";

// More than run at once in a process.
const many = 9;
const Held = suite("writes for authors whose rows another process holds");
let services: TestServices;
let held: Person[];
let other: Person;

useSharedServices(Held, (shared) => (services = shared));
Held.before(async () => {
  held = [];
  for (let index = 0; index < many; index++) held.push(await person(services, "held"));
  other = await person(services, "other");
});

/** Runs work while a transaction from elsewhere has locked the rows of these users; ends the transaction then. */
async function whileHeld(users: readonly Person[], work: () => Promise<void>): Promise<void> {
  const client = new pg.Client(services.database.social);
  await client.connect();
  try {
    await client.query("begin");
    const ids = users.map(({ id }) => id.toString());
    await client.query("select from social.profile where user_id = any ($1::bigint[]) for update", [ids]);
    await work();
  } finally {
    await client.end();
  }
}

/** Milliseconds: a fraction of the time for which a write waits for a row. */
const soon = 5_000;

for (const [title, count, writes] of [
  ["one author", 1, 50],
  ["nine authors", many, 6],
] as const) {
  Held(`let those of other authors through: ${writes} for each of ${title}`, async () => {
    const users = held.slice(0, count);
    let ended = 0;
    let waiting: Promise<unknown>[] = [];
    await whileHeld(users, async () => {
      waiting = users.flatMap((author) =>
        Array.from({ length: writes }, () => publish(services, author).finally(() => ended++)),
      );
      await withTimeout(soon, publish(services, other));
      assert.is(ended, 0);
      for (let index = 0; index < 5; index++) await withTimeout(soon, publish(services, other));
    });
    // The rows are free again: the writes that waited go on.
    await Promise.all(waiting);
    for (const author of users) assert.ok((await timelineOf(services, author)).length >= writes);
  });
}

Held.run();
