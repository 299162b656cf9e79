import { addressOf } from "../platform/connect/identity.ts";
import { addressKey } from "../platform/limits/address-key.ts";
import { gcra } from "../platform/limits/gcra.ts";
import { createRefusingLimiter } from "../platform/limits/refusing-limiter.ts";
import type { Log } from "../platform/log.ts";
import type { Counters } from "../platform/metrics/counters.ts";
import type { SocialConfig } from "./config.ts";

/** How often each address may read what is made anew for each reader, and shows statuses of everybody. */
export interface ReadLimits {
  /** Counts a read; internal callers name no address, and have no limit. @throws ResourceExhausted with the seconds to wait */
  take(header: Headers): Promise<void>;
  close(): void;
}

/** @param refusals counts the refused reads as `read:address` */
export function createReadLimits(
  { readsPerAddress: times, writeLimits }: Pick<SocialConfig, "readsPerAddress" | "writeLimits">,
  log: Log,
  refusals: Counters,
): ReadLimits {
  const limit = "read:address";
  const limiter = createRefusingLimiter(writeLimits, gcra, [limit], log, refusals);
  return {
    async take(header) {
      const key = addressKey(addressOf(header) ?? "");
      if (key !== undefined && times > 0) await limiter.take([{ limit, key, rate: { times, seconds: 60 } }]);
    },
    close: () => limiter.close(),
  };
}
