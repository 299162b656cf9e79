import { randomBytes } from "node:crypto";
import type { RedisConnection } from "./connection.ts";

/**
 * Values in Redis that may be kept for a while, and that must be gone when their writer says so (design §5). Who wants to
 * put a value there takes a lease before asking the source; only the holder of a lease that still stands may put it, for
 * what is left of the lease's time. Dropping a value ends its lease as well, so that a source that was read before the
 * drop cannot come back after it. A value stays readable while somebody holds the lease to renew it.
 */
export interface LeasedValues {
  /** What each key holds; undefined for nothing. */
  read(keys: readonly string[]): Promise<(string | undefined)[]>;
  /** Takes the lease of each key for `ms` milliseconds; undefined where somebody else holds it. */
  lease(keys: readonly string[], ms: number): Promise<(string | undefined)[]>;
  /** Puts values, and ends their leases, where these still stand. */
  fill(values: readonly { key: string; lease: string; value: string }[]): Promise<void>;
  /** Takes values and leases away. When it has resolved, nothing that was read before can come back. */
  drop(keys: readonly string[]): Promise<void>;
}

/** Leased values in one Redis. Every method rejects with RedisAway when Redis does not confirm it in time. */
export function createLeasedValues(connection: RedisConnection): LeasedValues {
  return {
    read: async (keys) => (await connection.readAll(keys)).map((text) => (text === null ? undefined : text)),
    lease: (keys, ms) =>
      connection.run((redis) =>
        Promise.all(
          keys.map(async (key) => {
            const lease = `${holder}.${++leases}`;
            const expiration = { type: "PX", value: ms } as const;
            const taken = await redis.set(leaseKey(key), lease, { condition: "NX", expiration });
            return taken === null ? undefined : lease;
          }),
        ),
      ),
    async fill(values) {
      await connection.run((redis) =>
        Promise.all(
          values.map(({ key, lease, value }) =>
            redis.eval(fillScript, { keys: [key, leaseKey(key)], arguments: [lease, value] }),
          ),
        ),
      );
    },
    async drop(keys) {
      // One command: between two of them a fill could land.
      await connection.run((redis) => Promise.all(keys.map((key) => redis.del([leaseKey(key), key]))));
    },
  };
}

/** A lease is nobody else's: this process's own name, and a number. */
const holder = randomBytes(12).toString("base64url");
let leases = 0;

function leaseKey(key: string): string {
  return `${key}:lease`;
}

// One step, so that no drop can come between the look and the write.
const fillScript = `
if redis.call('GET', KEYS[2]) == ARGV[1] then
  local left = redis.call('PTTL', KEYS[2])
  if left > 0 then redis.call('SET', KEYS[1], ARGV[2], 'PX', left) end
  redis.call('DEL', KEYS[2])
end
return 1`;
