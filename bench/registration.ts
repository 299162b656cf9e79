import { randomBytes } from "node:crypto";
import { hash } from "@node-rs/argon2";
import { loadConfig } from "../services/account/config.ts";
import { sendRequest } from "./load/send-request.ts";
import type { Row } from "./results/row.ts";
import { microsecondsPerRequest, type ProcessorTime, processorTime } from "./system/processor.ts";
import { withEmptySystem } from "./system/with-empty-system.ts";
import type { Plan } from "./trials/plan.ts";
import { median } from "./trials/summarize.ts";

/** How many users register at the same time; as many hashes are asked for at once. */
const atOnce = 32;

/**
 * How many users a second register through the gateway, as part of how many passwords the same machine hashes when it does nothing
 * else, in turns; and the processor time of one registration.
 */
export async function measureRegistration({ rounds, sizes: { registrations: count } }: Plan): Promise<Row[]> {
  return withEmptySystem(async (system, home) => {
    const register = () => registerOne(system.url);
    await perSecond(warmUps * count, register);
    const turns: [ProcessorTime, ProcessorTime, number][] = [];
    const rates: [hashes: number, registrations: number][] = [];
    let loadTime = 0;
    while (rates.length < rounds) {
      const hashes = await perSecond(count, hashPassword);
      const [before, own] = [processorTime(system, home), process.cpuUsage()];
      const registered = await perSecond(count, register);
      const { user, system: kernel } = process.cpuUsage(own);
      loadTime += user + kernel;
      turns.push([before, processorTime(system, home), count]);
      rates.push([hashes, registered]);
    }
    const figures = {
      "registrations/s": median(rates.map(([, registered]) => registered)),
      "of bare hashes": median(rates.map(([hashes, registered]) => registered / hashes)),
      "bare hashes/s": median(rates.map(([hashes]) => hashes)),
      ...microsecondsPerRequest(turns),
      "load µs": loadTime / (rounds * count),
    };
    return [{ name: "registration", title: `registration, ${atOnce} at once`, figures }];
  }, patient);
}

/** Rounds before the first one that counts: the processes compile what they run often, and a registration is rare. */
const warmUps = 5;

/** On a slow machine more hashing waits than a user would: to be measured, and not refused. */
const patient = { PASSWORD_QUEUE_MS: "60000" };

const { memory, passes } = loadConfig({ ACCOUNT_DATABASE_URL: "postgres://unused" }).passwords;

/** As services/account/hashing/passwords.ts does, with nothing around it. */
function hashPassword(): Promise<string> {
  return hash(randomBytes(12).toString("base64"), { memoryCost: memory, timeCost: passes, parallelism: 1 });
}

async function registerOne(url: string): Promise<void> {
  const userName = `u${randomBytes(9).toString("hex")}`;
  const body = JSON.stringify({ userName, displayName: "A new user", password: "correct horse battery" });
  const { status } = await sendRequest(url, "/register", { "content-type": "application/json" }, body);
  if (status !== 200) throw new Error(`status ${status}`);
}

/** Runs a task so many times, some at once; gives how many a second were done. */
async function perSecond(count: number, task: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  let started = 0;
  const runner = async () => {
    while (started++ < count) await task();
  };
  await Promise.all(Array.from({ length: atOnce }, runner));
  return (count * 1_000) / (performance.now() - start);
}
