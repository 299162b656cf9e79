import { addressOf } from "../platform/connect/identity.ts";
import { addressKey } from "../platform/limits/address-key.ts";
import { gcra } from "../platform/limits/gcra.ts";
import { createKnownAddresses } from "../platform/limits/known-addresses.ts";
import { createRefusingLimiter } from "../platform/limits/refusing-limiter.ts";
import type { Log } from "../platform/log.ts";
import type { Counters } from "../platform/metrics/counters.ts";
import type { AccountConfig } from "./config.ts";
import { loginKey } from "./domain/login.ts";
import { chargesByAddress, chargesByName, limitKey, userKey } from "./limit-charges.ts";

/** Rate limits on calls that cost a hash or reveal who is registered (docs/decisions/limits.md). */
export interface Limits {
  /** Counts a registration, successful or not. @throws ResourceExhausted with the seconds to wait */
  registration(header: Headers, names: readonly (string | undefined)[]): Promise<void>;
  /** Checks the password of a sign-in. @throws ResourceExhausted with the seconds to wait, and what the check throws */
  signIn<T extends Proof>(header: Headers, login: string, check: Check<T>): Promise<T | undefined>;
  /** The same for the current password of a user who is already signed in. */
  passwordChange<T extends Proof>(header: Headers, userId: bigint, check: Check<T>): Promise<T | undefined>;
  close(): void;
}

/** Resolves with undefined when the password is wrong: only a wrong password stays counted for the name. */
type Check<T extends Proof> = () => Promise<T | undefined>;

/** The user whose password was right. */
interface Proof {
  userId: bigint;
}

const limitNames = [
  "registration:address",
  "registration:name",
  "registration:name-anywhere",
  "sign-in:address",
  "sign-in:name",
  "sign-in:name-anywhere",
  "password-change:name",
  "password-change:name-anywhere",
];

export function createLimits(config: AccountConfig["limits"], log: Log, refusals: Counters): Limits {
  const limiter = createRefusingLimiter(config, gcra, limitNames, log, refusals);
  const known = createKnownAddresses(limiter.redis);

  /** The charge by address stays, since a hash was computed; the charge by name is returned unless the password was wrong. */
  async function guess<T extends Proof>(header: Headers, action: string, name: string, check: Check<T>) {
    const address = addressKey(addressOf(header) ?? "");
    const isKnown = address !== undefined && (await known.has(limitKey(name, address)));
    const all = chargesByName(action, config.signInsPerName, name, address);
    const byName = isKnown ? all.slice(0, 1) : all;
    const taken = await limiter.take([...chargesByAddress("sign-in", config.signInsPerAddress, address), ...byName]);
    let isWrong = false;
    try {
      const proof = await check();
      isWrong = proof === undefined;
      if (proof && address !== undefined)
        await known.add([name, userKey(proof.userId)].map((of) => limitKey(of, address)));
      return proof;
    } finally {
      if (!isWrong) await taken.giveBack(byName);
    }
  }

  return {
    async registration(header, names) {
      const address = addressKey(addressOf(header) ?? "");
      const given = names.filter((name) => name !== undefined).map(loginKey);
      await limiter.take([
        ...chargesByAddress("registration", config.registrationsPerAddress, address),
        ...given.flatMap((name) => chargesByName("registration", config.registrationsPerName, name, address)),
      ]);
    },
    signIn: (header, login, check) => guess(header, "sign-in", loginKey(login), check),
    passwordChange: (header, userId, check) => guess(header, "password-change", userKey(userId), check),
    close: () => limiter.close(),
  };
}
