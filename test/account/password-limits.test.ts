import * as assert from "uvu/assert";
import { type Limits as AccountLimits, createLimits } from "../../services/account/limits.ts";
import { createAccountMetrics } from "../../services/account/metrics.ts";
import { createLog } from "../../services/platform/log.ts";
import { eventually } from "../support/eventually.ts";
import { openWork } from "../support/open-work.ts";
import { register, password as right } from "../support/people.ts";
import { startTestRedisFor } from "../support/redis.ts";
import { refusalOf } from "../support/refusal.ts";
import { useServices } from "../support/services.ts";
import { suite } from "../support/suite.ts";

const Limits = suite("limits of passwords");
const services = useServices(Limits, { RATE_LIMITS: "on", SIGN_INS_PER_ADDRESS: "6", SIGN_INS_PER_NAME: "2" });
const wrong = "wrong horse";

let addresses = 0;
/** An address that has made no attempt yet. */
const newAddress = () => `192.0.2.${++addresses}`;

/** The outcome of a call that is made for a client at an address. */
async function outcome(address: string, call: (options: { headers: Record<string, string> }) => Promise<unknown>) {
  const made = call({ headers: { "roost-address": address } });
  return made.then(
    () => "let in",
    async () => (await refusalOf(made)).code,
  );
}

const signIn = (address: string, userName: string, password: string) =>
  outcome(address, (options) => services.clients.accountPeople.authenticate({ userName, password }, options));

const changePassword = (address: string, userId: bigint, oldPassword: string, newPassword = right) =>
  outcome(address, (options) =>
    services.clients.accountPeople.changePassword({ userId, oldPassword, newPassword }, options),
  );

async function times<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const results = [];
  for (let index = 0; index < count; index++) results.push(await work(index));
  return results;
}

Limits("keep a client at one address from locking a user out at other addresses", async () => {
  await register(services, "victim");
  const attacker = newAddress();
  const guesses = await times(10, () => signIn(attacker, "victim", wrong));
  assert.equal(guesses, ["Unauthenticated", "Unauthenticated", ...Array(8).fill("ResourceExhausted")]);
  assert.is(await signIn(attacker, "victim", right), "ResourceExhausted");
  assert.is(await signIn(newAddress(), "victim", right), "let in");
});

Limits("do not count attempts against the name that the limit per address refuses", async () => {
  await register(services, "bystander");
  const attacker = newAddress();
  await times(6, (index) => signIn(attacker, `anybody${index}`, wrong));
  assert.equal([...new Set(await times(30, () => signIn(attacker, "bystander", wrong)))], ["ResourceExhausted"]);
  assert.equal(await times(2, () => signIn(newAddress(), "bystander", wrong)), ["Unauthenticated", "Unauthenticated"]);
  assert.is(await signIn(newAddress(), "bystander", right), "let in");
});

Limits("do not count attempts against the address that the limit per name refuses", async () => {
  await register(services, "loud");
  const address = newAddress();
  await times(10, () => signIn(address, "loud", wrong));
  assert.equal(await times(5, (index) => signIn(address, `quiet${index}`, wrong)), [
    ...Array(4).fill("Unauthenticated"),
    "ResourceExhausted",
  ]);
});

Limits("bound guesses from many addresses, and still let the user sign in from a known address", async () => {
  await register(services, "famous");
  const [home, abroad] = [newAddress(), newAddress()];
  assert.is(await signIn(home, "famous", right), "let in");
  const guesses = await times(25, () => signIn(newAddress(), "famous", wrong));
  assert.equal(guesses, [...Array(20).fill("Unauthenticated"), ...Array(5).fill("ResourceExhausted")]);
  assert.is(await signIn(abroad, "famous", right), "ResourceExhausted");
  assert.is(await signIn(home, "famous", right), "let in");
});

Limits("count right passwords against the address, since each costs a hash, and not against the name", async () => {
  await register(services, "regular");
  const address = newAddress();
  const visits = await times(7, () => signIn(address, "regular", right));
  assert.equal(visits, [...Array(6).fill("let in"), "ResourceExhausted"]);
  assert.is(await signIn(newAddress(), "regular", right), "let in");
});

Limits("hold for concurrent attempts", async () => {
  await register(services, "crowded");
  const address = newAddress();
  const guesses = await Promise.all(Array.from({ length: 40 }, () => signIn(address, "crowded", wrong)));
  assert.is(guesses.filter((code) => code === "Unauthenticated").length, 2);
  const visits = await Promise.all(Array.from({ length: 40 }, (_, index) => signIn(address, `crowd${index}`, wrong)));
  assert.is(visits.filter((code) => code === "Unauthenticated").length, 4);
});

Limits("hold for wrong current passwords, which do not count against sign-ins", async () => {
  const userId = await register(services, "robbed", { email: "robbed@example.org" });
  const [home, thief] = [newAddress(), newAddress()];
  assert.is(await signIn(home, "robbed@example.org", right), "let in");
  const guesses = await times(5, () => changePassword(thief, userId, wrong));
  assert.equal(guesses, ["Unauthenticated", "Unauthenticated", ...Array(3).fill("ResourceExhausted")]);
  assert.is(await changePassword(thief, userId, right), "ResourceExhausted");
  assert.is(await signIn(thief, "robbed", right), "let in");
  await times(18, () => changePassword(newAddress(), userId, wrong));
  assert.is(await changePassword(newAddress(), userId, right), "ResourceExhausted");
  assert.is(await changePassword(home, userId, right, "battery staple"), "let in");
  assert.is(await signIn(home, "robbed", "battery staple"), "let in");
});

Limits("count both hashes of a change of password against the address", async () => {
  const address = newAddress();
  const userIds = await times(4, (index) => register(services, `changed${index}`));
  const changes = await times(4, (index) => changePassword(address, userIds[index] as bigint, right, right));
  assert.equal(changes, Array(4).fill("let in"));
  assert.equal(await times(3, (index) => signIn(address, `none${index}`, wrong)), [
    "Unauthenticated",
    "Unauthenticated",
    "ResourceExhausted",
  ]);
});

Limits("do not count an attempt against the name that failed because the database was unavailable", async () => {
  await register(services, "unlucky");
  const address = newAddress();
  const failed = await services.database.whileUnavailable("account", () =>
    times(3, () => signIn(address, "unlucky", right)),
  );
  assert.not.ok(failed.includes("ResourceExhausted") || failed.includes("let in"), failed.join());
  assert.is(await signIn(address, "unlucky", right), "let in");
});

Limits.run();

const Shared = suite("limits of several account processes");
const redis = await startTestRedisFor("shared limits");
const test = redis === undefined ? Shared.skip : Shared;
const processes: AccountLimits[] = [];

/** The limits of one process. */
function start(redisTimeoutMs: number): AccountLimits {
  const config = { registrationsPerAddress: 0, registrationsPerName: 0, signInsPerAddress: 0, signInsPerName: 2 };
  const { refusals } = createAccountMetrics();
  return createLimits({ ...config, redisUrl: redis?.url, redisTimeoutMs }, createLog("test", "silent"), refusals);
}

Shared.before(() => void processes.push(start(5_000), start(5_000)));
Shared.after(async () => {
  for (const each of processes) each.close();
  await redis?.stop();
});

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
    const outcomes = await times(4, (index) => attempt(index % 2, address, login, false));
    return (outcomes[2] === "ResourceExhausted" && outcomes[3] === "ResourceExhausted") === together;
  });
}

test("share the count of wrong passwords and the known addresses, which each has also without Redis", async () => {
  await untilCounting(true);
  const home = newAddress();
  assert.is(await attempt(0, home, "shared", true), "let in");
  for (let guess = 0; guess < 20; guess++)
    assert.is(await attempt(0, newAddress(), "shared", false), "wrong", `${guess}`);
  for (const index of [0, 1]) assert.is(await attempt(index, newAddress(), "shared", true), "ResourceExhausted");
  // This process has not seen the address itself: it reads it from Redis.
  assert.is(await attempt(1, home, "shared", true), "let in");
  await redis?.kill();
  await untilCounting(false);
  assert.is(await attempt(0, newAddress(), "shared", true), "ResourceExhausted");
  assert.is(await attempt(0, home, "shared", true), "let in");
  await redis?.restart();
  await untilCounting(true);
});

test("give back what Redis took too late to be waited for, and what was taken before it was late", async () => {
  const limits = start(50);
  const header = new Headers({ "roost-address": newAddress() });
  /** The number of limits that are counted, as the first line of Redis's answer. */
  const counted = async () => Number(/^\*(\d+)/.exec((await redis?.send("KEYS limit:sign-in:name*")) ?? "")?.[1]);
  const { work, end } = openWork();
  try {
    const before = await counted();
    await eventually("it counts in Redis", async () => {
      await limits.signIn(header, "probe", async () => undefined).catch(() => {});
      return (await counted()) > before;
    });
    const atRest = await counted();
    const early = limits.signIn(header, "early", async () => {
      await work();
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
    end();
    await early;
    await eventually("both are given back", async () => (await counted()) === atRest, 5);
  } finally {
    end();
    limits.close();
  }
});

Shared.run();
