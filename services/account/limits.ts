import { createHash } from "node:crypto";
import { addressOf } from "../platform/connect/identity.ts";
import { tooManyRequests } from "../platform/errors.ts";
import { addressKey } from "../platform/limits/address-key.ts";
import type { Allowance } from "../platform/limits/allowance.ts";
import { connectLimitsRedis, type LimitsRedis } from "../platform/limits/limits-redis.ts";
import { createLocalAllowance } from "../platform/limits/local-allowance.ts";
import { createSharedAllowance } from "../platform/limits/shared-allowance.ts";
import type { Log } from "../platform/log.ts";
import type { Count, Counts } from "../platform/metrics/counts.ts";
import type { AccountConfig } from "./config.ts";

/** How often people may try what costs a hash or tells who exists. */
export interface Limits {
  /** Counts an attempt, whatever comes of it. @throws ResourceExhausted with the seconds to wait */
  registration(header: Headers, names: readonly (string | undefined)[]): Promise<void>;
  /** The same for a sign-in. */
  signIn(header: Headers, login: string): Promise<void>;
  close(): void;
}

/** Limits by the address for which a call is made, where the caller tells it, and by the names that it is about. */
export function createLimits(config: AccountConfig["limits"], log: Log, refusals: Counts): Limits {
  const { redisUrl } = config;
  const redis = redisUrl === undefined ? undefined : connectLimitsRedis(redisUrl, log, config.redisTimeoutMs);
  const allowance = (name: string, times: number) => counted(createAllowance(name, times, redis), refusals.of(name));
  const registrations = {
    byAddress: allowance("registration:address", config.registrationsPerAddress),
    byName: allowance("registration:name", config.registrationsPerName),
  };
  const signIns = {
    byAddress: allowance("sign-in:address", config.signInsPerAddress),
    byName: allowance("sign-in:name", config.signInsPerName),
  };
  return {
    registration: (header, names) => admit(registrations, header, names),
    signIn: (header, login) => admit(signIns, header, [login]),
    close: () => redis?.close(),
  };
}

interface Pair {
  byAddress: Allowance;
  byName: Allowance;
}

function counted(allowance: Allowance, refused: Count): Allowance {
  return {
    async take(key) {
      const wait = await allowance.take(key);
      if (wait > 0) refused.value++;
      return wait;
    },
  };
}

function createAllowance(name: string, times: number, redis: LimitsRedis | undefined): Allowance {
  if (times === 0) return { take: async () => 0 };
  const rate = { times, seconds: 3_600 };
  const local = createLocalAllowance(rate);
  return redis === undefined ? local : createSharedAllowance(redis, local, name, rate);
}

async function admit(
  { byAddress, byName }: Pair,
  header: Headers,
  names: readonly (string | undefined)[],
): Promise<void> {
  const address = addressKey(addressOf(header) ?? "");
  const waits = [
    address === undefined ? 0 : await byAddress.take(digest(address)),
    ...(await Promise.all(names.filter((name) => name !== undefined).map((name) => byName.take(nameKey(name))))),
  ];
  const wait = Math.max(...waits);
  if (wait > 0) throw tooManyRequests(wait);
}

function nameKey(name: string): string {
  return digest(name.trim().toLowerCase());
}

// Redis holds no names and no addresses, and every key has one length.
function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}
