import { addressOf } from "../platform/connect/identity.ts";
import { addressKey } from "../platform/limits/address-key.ts";
import { gcra } from "../platform/limits/gcra.ts";
import type { Charge, Rate, Taken } from "../platform/limits/rate-limiter.ts";
import { createRefusingLimiter } from "../platform/limits/refusing-limiter.ts";
import { slidingWindow } from "../platform/limits/sliding-window.ts";
import type { Log } from "../platform/log.ts";
import type { Counters } from "../platform/metrics/instruments.ts";
import type { SocialConfig } from "./config.ts";

/** Writes that are limited for each user. */
export type LimitedWrite = "statuses" | "follows" | "marks" | "reports" | "changes";

/** How often each user may write (docs/decisions/limits.md). */
export interface WriteLimits {
  /** The charge of one write of a user: one of each kind. */
  chargeOf(userId: bigint, kinds: readonly LimitedWrite[]): WriteCharge;
  close(): void;
}

/** The charge of one write against its rate limits. */
interface WriteCharge {
  /** Takes the charge, once however often the write is retried. @throws ResourceExhausted with the seconds to wait */
  take(): Promise<void>;
  /** Returns the charge if it was taken, since nothing was written. */
  giveBack(): Promise<void>;
}

/** Seconds. The limits of the settings apply to any span of this length. */
const seconds: Record<LimitedWrite, number> = {
  statuses: 3 * 3_600,
  follows: 24 * 3_600,
  marks: 24 * 3_600,
  reports: 24 * 3_600,
  changes: 24 * 3_600,
};

/** @param refusals counts the refused writes by limit, such as `user-statuses` */
export function createWriteLimits(config: SocialConfig["writeLimits"], log: Log, refusals: Counters): WriteLimits {
  const kinds = Object.keys(seconds) as LimitedWrite[];
  const limiter = createRefusingLimiter(config, slidingWindow, kinds.map(nameOf), log, refusals);
  return {
    chargeOf(userId, kinds) {
      const charges = kinds.flatMap((kind) => charge(kind, userId, { times: config[kind], seconds: seconds[kind] }));
      let taken: Pick<Taken, "giveBack"> | undefined;
      return {
        async take() {
          if (charges.length > 0) taken ??= await limiter.take(charges);
        },
        async giveBack() {
          await taken?.giveBack(charges);
          taken = undefined;
        },
      };
    },
    close: () => limiter.close(),
  };
}

/** The charge of a limit; none for 0. */
function charge(kind: LimitedWrite, userId: bigint, rate: Rate): Charge[] {
  return rate.times === 0 ? [] : [{ limit: nameOf(kind), key: userId.toString(), rate }];
}

function nameOf(kind: LimitedWrite): string {
  return `user-${kind}`;
}

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
