import * as assert from "uvu/assert";
import { type Limits as AccountLimits, createLimits } from "../../services/account/limits.ts";
import { createAccountMetrics } from "../../services/account/metrics.ts";
import { createLog } from "../../services/platform/log.ts";
import { eventually } from "../support/eventually.ts";
import { startTestRedisFor } from "../support/redis.ts";
import { refusalOf } from "../support/refusal.ts";
import { suite } from "../support/suite.ts";

const Limits = suite("limits of several account processes");
const redis = await startTestRedisFor("shared limits");
const test = redis === undefined ? Limits.skip : Limits;
const processes: AccountLimits[] = [];

/** The limits of one process. */
function start(redisTimeoutMs: number): AccountLimits {
  const config = { registrationsPerAddress: 0, registrationsPerName: 0, signInsPerAddress: 0, signInsPerName: 2 };
  const { refusals } = createAccountMetrics();
  return createLimits({ ...config, redisUrl: redis?.url, redisTimeoutMs }, createLog("test", "silent"), refusals);
}

Limits.before(() => {
  for (let index = 0; index < 2; index++) processes.push(start(5_000));
});
Limits.after(async () => {
  for (const each of processes) each.close();
  await redis?.stop();
});

let addresses = 0;
const newAddress = () => `192.0.2.${++addresses}`;

/** The outcome of an attempt in one of the processes. */
async function attempt(index: number, address: string, login: string, isRight: boolean): Promise<string> {
  const limits = processes[index] as AccountLimits;
  const check = async () => (isRight ? { userId: 7n } : undefined);
  const made = limits.signIn(new Headers({ "roost-address": address }), login, check);
  return made.then(
    (proof) => (proof ? "let in" : "wrong"),
    async () => (await refusalOf(made)).code,
  );
}

/** Waits until both processes count together, or each alone: whether one of them sees the attempts at the other. */
async function untilCounting(together: boolean): Promise<void> {
  let round = 0;
  await eventually(`they count ${together ? "together" : "alone"}`, async () => {
    const [login, address] = [`probe ${together} ${round++}`, newAddress()];
    const wrongs = [0, 1, 0, 1].map((index) => () => attempt(index, address, login, false));
    const outcomes = [];
    for (const each of wrongs) outcomes.push(await each());
    return (outcomes[2] === "ResourceExhausted" && outcomes[3] === "ResourceExhausted") === together;
  });
}

test("share the count of wrong passwords and the known addresses", async () => {
  await untilCounting(true);
  const home = newAddress();
  assert.is(await attempt(0, home, "shared", true), "let in");
  for (let guess = 0; guess < 20; guess++)
    assert.is(await attempt(guess % 2, newAddress(), "shared", false), "wrong", `${guess}`);
  for (const index of [0, 1]) assert.is(await attempt(index, newAddress(), "shared", true), "ResourceExhausted");
  // This process has not seen the address itself: it reads it from Redis.
  assert.is(await attempt(1, home, "shared", true), "let in");
});

test("are applied by each process alone while Redis is unavailable, by the attempts that it has seen", async () => {
  await untilCounting(true);
  const [home, thief] = [newAddress(), newAddress()];
  assert.is(await attempt(0, home, "alone", true), "let in");
  for (let guess = 0; guess < 2; guess++) assert.is(await attempt(0, thief, "alone", false), "wrong");
  await redis?.kill();
  await untilCounting(false);
  assert.is(await attempt(0, thief, "alone", true), "ResourceExhausted");
  assert.is(await attempt(0, newAddress(), "alone", true), "let in");
  for (let guess = 0; guess < 18; guess++) assert.is(await attempt(0, newAddress(), "alone", false), "wrong");
  assert.is(await attempt(0, newAddress(), "alone", true), "ResourceExhausted");
  assert.is(await attempt(0, home, "alone", true), "let in");
  await redis?.restart();
  await untilCounting(true);
});

test("give back what Redis took too late to be waited for, and what was taken before it was late", async () => {
  const limits = start(50);
  const header = new Headers({ "roost-address": newAddress() });
  /** The number of limits that are counted, as the first line of Redis's answer. */
  const counted = async () => Number(/^\*(\d+)/.exec((await redis?.send("KEYS limit:sign-in:name*")) ?? "")?.[1]);
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  try {
    const before = await counted();
    await eventually("it counts in Redis", async () => {
      await limits.signIn(header, "probe", async () => undefined).catch(() => {});
      return (await counted()) > before;
    });
    const atRest = await counted();
    const early = limits.signIn(header, "early", async () => {
      await held;
      return { userId: 8n };
    });
    await eventually("the first attempt is counted", async () => (await counted()) > atRest);
    process.kill(redis?.pid() as number, "SIGSTOP");
    try {
      await limits.signIn(header, "late", async () => ({ userId: 9n }));
    } finally {
      process.kill(redis?.pid() as number, "SIGCONT");
    }
    // Within the second after a late answer, in which Redis is not asked.
    release();
    await early;
    await eventually("both are given back", async () => (await counted()) === atRest, 5);
  } finally {
    release();
    limits.close();
  }
});

Limits.run();
