import * as assert from "uvu/assert";
import { withTimeout } from "../../services/platform/with-timeout.ts";
import { type Person, person, publish, timelineOf } from "../support/people.ts";
import type { TestServices } from "../support/services.ts";
import { useSharedServices } from "../support/shared-services.ts";
import { suite } from "../support/suite.ts";
import { whileLocked } from "./locked-rows.ts";

// More writes than run at once in a process.
const many = 9;
const Locked = suite("writes for authors whose rows another process has locked");
let services: TestServices;
let locked: Person[];
let other: Person;

useSharedServices(Locked, (shared) => (services = shared));
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
