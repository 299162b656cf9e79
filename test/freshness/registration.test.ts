// A process stays registered with the others, though its heartbeats were late and its row was deleted.
import { setTimeout as sleep } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { announcersIn } from "../../services/platform/freshness/announcers.ts";
import { startRegistration } from "../../services/platform/freshness/registration.ts";
import { createLog } from "../../services/platform/log.ts";
import { createPool } from "../../services/platform/postgres/pool.ts";
import { eventually } from "../support/eventually.ts";
import { startTestServices } from "../support/services.ts";

const Registered = suite("registration");
const services = await startTestServices({});
const log = createLog("test", "silent");
const announcers = announcersIn("social", ["announces_viewers"]);

Registered.after(() => services.stop());

Registered("is renewed after the row was deleted while heartbeats were late", async () => {
  const pool = createPool(services.database.social, "test-registration", log);
  const rows = async () => {
    const { rows } = await pool.query("select id, beat from social.announcer where place = 'late'");
    return rows as { id: string; beat: bigint }[];
  };
  let find = Promise.resolve("late");
  const own = createPool(services.database.social, "test-registration-own", log);
  const registration = startRegistration(own, announcers, log, 1_000, () => find);
  try {
    await registration.ready;
    const [first] = await rows();
    assert.ok(first);
    let goOn = (_place: string) => {};
    find = new Promise((resolve) => (goOn = resolve));
    // The heartbeat that has begun may still come.
    await sleep(1_000);
    await pool.query("delete from social.announcer where id = $1", [first.id]);
    // A process whose heartbeat is older counts as ended.
    await sleep(10_000);
    goOn("late");
    find = Promise.resolve("late");
    await eventually("the new row", async () => (await rows()).length === 1);
    await sleep(1_500);
    const [again] = await rows();
    assert.is(again?.id, first.id, "the row is still there");
    assert.not.equal(again?.beat, first.beat, "others see that the row is another one");
    assert.is(registration.place(), "late");
  } finally {
    await registration.close();
    await pool.end();
  }
});

Registered.run();
