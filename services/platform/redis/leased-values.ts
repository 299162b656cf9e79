import { randomBytes } from "node:crypto";
import type { RedisConnection } from "./connection.ts";

/**
 * Values in Redis that may be kept for a while, and that must be gone when their writer says so (design §5). Who finds
 * nothing takes a lease before it asks the source; only the holder of a lease that still stands may put a value in its
 * place, for what is left of the lease's time. Dropping a value ends its lease as well, so that a source that was read
 * before the drop cannot come back after it.
 */
export interface LeasedValues {
  /** What each key holds: a value, `leased`, or undefined for nothing. */
  read(keys: readonly string[]): Promise<(string | typeof leased | undefined)[]>;
  /** Takes a lease on each key that holds nothing, for `ms` milliseconds; undefined where somebody was faster. */
  lease(keys: readonly string[], ms: number): Promise<(string | undefined)[]>;
  /** Puts values in the place of leases, where they still stand. */
  fill(values: readonly { key: string; lease: string; value: string }[]): Promise<void>;
  /** Takes values and leases away. When it has resolved, nothing that was read before can come back. */
  drop(keys: readonly string[]): Promise<void>;
}

/** Somebody is about to put a value there. */
export const leased = Symbol("leased");

/** Leased values in one Redis. Every method rejects with RedisAway when Redis does not confirm it in time. */
export function createLeasedValues(connection: RedisConnection): LeasedValues {
  return {
    read: (keys) =>
      connection.run(async (redis) =>
        (await redis.mGet([...keys])).map((text) => (text === null ? undefined : isLease(text) ? leased : text)),
      ),
    lease: (keys, ms) =>
      connection.run((redis) =>
        Promise.all(
          keys.map(async (key) => {
            const lease = leasePrefix + randomBytes(12).toString("base64url");
            const taken = await redis.set(key, lease, { condition: "NX", expiration: { type: "PX", value: ms } });
            return taken === null ? undefined : lease;
          }),
        ),
      ),
    async fill(values) {
      await connection.run((redis) =>
        Promise.all(
          values.map(({ key, lease, value }) => redis.eval(fillScript, { keys: [key], arguments: [lease, value] })),
        ),
      );
    },
    async drop(keys) {
      await connection.run((redis) => Promise.all(keys.map((key) => redis.del(key))));
    },
  };
}

const leasePrefix = "lease:";

function isLease(text: string): boolean {
  return text.startsWith(leasePrefix);
}

// One step, so that no drop can come between the look and the write.
const fillScript =
  "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL') end return 1";
