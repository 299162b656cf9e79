// A process stays registered with the others, though its heartbeats were late and its row was deleted, and waits where another process may
// have tokens that it does not drop.

import * as assert from "uvu/assert";
import { startAnnouncerRegistration, waitMsFor } from "../../services/platform/freshness/announcer-registration.ts";
import { createLog } from "../../services/platform/log.ts";
import { createPool } from "../../services/platform/postgres/pool.ts";
import { tickWindowMs } from "../../services/platform/redis/logical-clock.ts";
import { eventually } from "../support/eventually.ts";
import { whileUncommitted } from "../support/open-transaction.ts";
import { suite } from "../support/suite.ts";
import { freshnessMs, openAnnouncers, other } from "./open-announcers.ts";

const Registered = suite("the registration of announcers");
const { services, announcers, pool, forgetOthers, stop } = await openAnnouncers();
const log = createLog("test", "silent");

/** Milliseconds by which the clocks of this process are ahead. */
const ahead = { monotonic: 0, wall: 0 };
const clocks = { monotonic: performance.now, wall: Date.now };

Registered.before(() => {
  performance.now = () => clocks.monotonic.call(performance) + ahead.monotonic;
  Date.now = () => clocks.wall() + ahead.wall;
});
Registered.before.each(async () => {
  Object.assign(ahead, { monotonic: 0, wall: 0 });
  await forgetOthers();
});
Registered.after(async () => {
  performance.now = clocks.monotonic;
  Date.now = clocks.wall;
  await stop();
});

/** A process that registers. */
function open(place: string) {
  const state = { find: async () => place, heartbeats: 0 };
  const own = createPool(services.database.social, "test-registration-own", log);
  const find = () => {
    state.heartbeats++;
    return state.find();
  };
  const registration = startAnnouncerRegistration(own, announcers, log, freshnessMs, find);
  return {
    registration,
    own,
    state,
    async moveTo(next: string) {
      state.find = async () => next;
      await eventually("the new place", async () => registration.place() === next);
    },
    /** Waits for two heartbeats: the second one begins after the end of the first. */
    async heartbeat() {
      const before = state.heartbeats;
      await eventually("a heartbeat", async () => state.heartbeats > before + 1);
    },
    row: async () => (await announcers.list(pool)).find(({ place }) => place === "here"),
  };
}

Registered("is renewed after the row was deleted while heartbeats were late", async () => {
  const rows = async () => {
    const { rows } = await pool.query("select id, beat from social.announcer where place = 'late'");
    return rows as { id: string; beat: bigint }[];
  };
  const { registration, state, heartbeat } = open("late");
  try {
    await registration.ready;
    const [first] = await rows();
    assert.ok(first);
    let goOn = (_place: string) => {};
    const found = new Promise<string>((resolve) => (goOn = resolve));
    const isLate = new Promise<void>((resolve) => {
      state.find = () => {
        resolve();
        return found;
      };
    });
    await isLate;
    await pool.query("delete from social.announcer where id = $1", [first.id]);
    // A process whose heartbeat is older than four windows counts as ended.
    ahead.monotonic += 4.5 * tickWindowMs(freshnessMs);
    goOn("late");
    await eventually("the new row", async () => (await rows()).length === 1);
    await heartbeat();
    const [again] = await rows();
    assert.is(again?.id, first.id, "the row is still there");
    assert.not.equal(again?.beat, first.beat, "others see that the row is another one");
    assert.is(registration.place(), "late");
  } finally {
    await registration.close();
  }
});

for (const [what, row, waits] of [
  ["at its place", {}, false],
  ["without a place", { place: "" }, false],
  ["at another place", { place: "other" }, true],
  ["that has not found its place yet", { place: null }, true],
  ["that waits itself", { is_settled: false }, true],
  ["with a shorter lifetime of tokens", { keep_ms: 30_000 }, true],
] as const) {
  Registered(`${waits ? "waits" : "does not wait"} where there is another process ${what}`, async () => {
    await announcers.upsert(pool, other(row));
    const { registration } = open("here");
    try {
      await eventually("the place", async () => registration.place() === "here");
      assert.is(registration.settlesInMs() > 0, waits);
      assert.ok(registration.settlesInMs() <= waitMsFor(freshnessMs));
      assert.is(registration.othersEndInMs(), 0);
    } finally {
      await registration.close();
    }
  });
}

Registered("waits longer than the tokens live of another process with a longer lifetime", async () => {
  assert.is(waitMsFor(freshnessMs), 1.05 * tickWindowMs(freshnessMs));
  await announcers.upsert(pool, other({ keep_ms: 10 * freshnessMs }));
  const { registration } = open("here");
  try {
    await eventually("the place", async () => registration.place() === "here");
    for (const ms of [registration.settlesInMs(), registration.othersEndInMs()]) {
      assert.ok(ms > waitMsFor(freshnessMs) && ms <= waitMsFor(10 * freshnessMs), `${ms} ms`);
    }
  } finally {
    await registration.close();
  }
});

Registered("sees every process that registered before", async () => {
  const { id, place, keep_ms } = other({ place: "other" });
  const insert = "insert into social.announcer (id, place, keep_ms, is_settled) values ($1, $2, $3, true)";
  await whileUncommitted(services.database.social, [[insert, [id, place, keep_ms]]], async ({ waiting, commit }) => {
    const { registration } = open("here");
    try {
      await waiting(1);
      await commit();
      await eventually("the place", async () => registration.place() === "here");
      assert.ok(registration.settlesInMs() > 0);
    } finally {
      await registration.close();
    }
  });
});

Registered("has no place while it registers at a new one", async () => {
  const { registration, state } = open("here");
  try {
    await eventually("the place", async () => registration.place() === "here");
    const lock = "lock table social.announcer in row exclusive mode";
    await whileUncommitted(services.database.social, [[lock]], async ({ waiting }) => {
      state.find = async () => "there";
      await waiting(1);
      assert.is(registration.place(), undefined);
    });
  } finally {
    await registration.close();
  }
});

Registered("says that it has waited only after that, and waits no shorter when its row is written again", async () => {
  const another = other({ place: "other" });
  await announcers.upsert(pool, another);
  const { registration, moveTo, heartbeat, row } = open("here");
  try {
    await eventually("the place", async () => registration.place() === "here");
    assert.is((await row())?.is_settled, false, "before its first heartbeat");
    await heartbeat();
    assert.is((await row())?.is_settled, false);
    await forgetOthers();
    await eventually("the row", async () => (await row()) !== undefined);
    await heartbeat();
    assert.ok(registration.settlesInMs() > 0);
    await moveTo("");
    await moveTo("here");
    assert.ok(registration.settlesInMs() > 0, "after a return as well");
    ahead.monotonic += waitMsFor(freshnessMs);
    await heartbeat();
    assert.equal([(await row())?.is_settled, registration.settlesInMs()], [true, 0]);
  } finally {
    await registration.close();
  }
});

Registered("waits after a move from where its tokens may still be, but not after a return", async () => {
  const { registration, moveTo } = open("here");
  const waits = () => registration.settlesInMs() > 0;
  try {
    await eventually("the place", async () => registration.place() === "here");
    assert.not(waits());
    await moveTo("");
    await moveTo("here");
    assert.not(waits(), "at its former place");
    await moveTo("");
    await moveTo("there");
    assert.ok(waits(), "at another place");
    ahead.monotonic += waitMsFor(freshnessMs);
    await moveTo("");
    ahead.monotonic += waitMsFor(freshnessMs);
    await moveTo("here");
    assert.not(waits(), "after all its tokens have ended");
    await moveTo("there");
    assert.ok(waits(), "directly");
  } finally {
    await registration.close();
  }
});

Registered("has no place while it is not certain that its row is there", async () => {
  const { registration, own, state, heartbeat } = open("here");
  const isPlaced = () => eventually("the place", async () => registration.place() === "here");
  try {
    await isPlaced();
    own.emit("error", new Error("the connection broke"), undefined as never);
    assert.is(registration.place(), undefined, "the server may have been restored");
    for (const clock of ["monotonic", "wall"] as const) {
      await isPlaced();
      ahead[clock] += 7_500;
      assert.is(registration.place(), undefined, `${clock} clock`);
    }
    await isPlaced();
    state.find = () => Promise.reject(new Error("not found"));
    await heartbeat();
    assert.is(registration.place(), undefined, "a heartbeat failed");
    state.find = async () => {
      ahead.monotonic += 7_500;
      return "here";
    };
    await heartbeat();
    assert.is(registration.place(), undefined, "a heartbeat took too long");
  } finally {
    await registration.close();
  }
});

Registered("deletes no row that was written since it was read", async () => {
  const another = other({});
  const read = async () => (await announcers.list(pool)).find(({ id }) => id === another.id);
  await announcers.upsert(pool, another);
  for (const [what, write] of [
    ["a registration after a deletion", () => forgetOthers().then(() => announcers.upsert(pool, another))],
    ["a heartbeat", () => announcers.beat(pool, another)],
    ["a registration", () => announcers.upsert(pool, another)],
  ] as const) {
    const old = await read();
    await write();
    if (old !== undefined) await announcers.delete(pool, old);
    assert.ok(await read(), what);
  }
});

Registered("deletes another process after four windows without a heartbeat", async () => {
  const { registration, heartbeat } = open("here");
  const another = other({});
  const isThere = async () => (await announcers.list(pool)).some(({ id }) => id === another.id);
  try {
    await announcers.upsert(pool, another);
    await heartbeat();
    ahead.monotonic += 3.5 * tickWindowMs(freshnessMs);
    await heartbeat();
    assert.ok(await isThere());
    await announcers.beat(pool, another);
    await heartbeat();
    ahead.monotonic += 3.5 * tickWindowMs(freshnessMs);
    await heartbeat();
    assert.ok(await isThere(), "its heartbeat counts");
    ahead.monotonic += 0.6 * tickWindowMs(freshnessMs);
    await heartbeat();
    assert.not(await isThere());
  } finally {
    await registration.close();
  }
});

Registered.run();
