import { type EnvironmentReader, readEnvironment } from "../platform/environment.ts";
import { readLimitsRedis } from "../platform/redis/settings.ts";
import { isScreenName, nameKey } from "../platform/rules/screen-name.ts";
import { readPasswordMinLength, readServiceSettings } from "../platform/service-settings.ts";

/** Settings of the account service. */
export type AccountConfig = ReturnType<typeof readConfig>;

/** Reads and checks the environment. @throws ConfigurationError naming every fault */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): AccountConfig {
  return readEnvironment(env, readConfig);
}

/** What the account service asks of its environment. */
export function readConfig(read: EnvironmentReader) {
  const continueOrigins = read.origins(
    "CONTINUE_ORIGINS",
    "Origins that `continue` may lead to, besides paths; any when unset.",
  );
  return {
    ...readServiceSettings(read, {
      name: "ACCOUNT",
      port: 4001,
      holds: "accounts and sessions",
      direct: "migrations and the outbox",
    }),
    socialUrl: read.url("SOCIAL_URL", "http://127.0.0.1:4002", "Where the social service is."),
    passwords: {
      minLength: readPasswordMinLength(read),
      // OWASP's parameters for Argon2id: about 13 ms of one core. A stored hash with smaller ones is replaced at the next sign-in.
      memory: read.integer("PASSWORD_HASH_MEMORY_KIB", 19_456, 8, 4_194_304, "KiB of memory that a hash takes."),
      passes: read.integer("PASSWORD_HASH_PASSES", 2, 1, 100, "Passes of Argon2id over that memory."),
      // Users wait that long without trying again.
      maxWaitMs: read.integer(
        "PASSWORD_QUEUE_MS",
        2_000,
        1,
        60_000,
        "Milliseconds of hashing that may wait; above, 429.",
      ),
    },
    signUp: read.choice(
      "SIGN_UP",
      "open",
      ["open", "invite", "closed"],
      "Who may register: all, holders of an invitation (`npm run account -- invite make`), or no one. Others get 403.",
    ),
    reservedNames: readReservedNames(read),
    // Two weeks: long enough not to annoy, short enough that a forgotten session ends.
    session: {
      maxAge: read.integer("SESSION_MAX_AGE", 14 * 24 * 3600, 60, 400 * 24 * 3600, "Seconds that a session lives."),
    },
    limits: readLimits(read),
    continueOrigins: continueOrigins.length === 0 ? undefined : continueOrigins,
  };
}

function readReservedNames(read: EnvironmentReader): ReadonlySet<string> {
  const meaning =
    "User names that no new user may have, besides those that the contract reserves. A user who already has one keeps it.";
  const names = read.list("RESERVED_NAMES", meaning);
  if (!names.every(isScreenName)) read.refuse("RESERVED_NAMES must be user names, separated by commas");
  return new Set(names.map(nameKey));
}

// An office or a school shares an address; a person mistypes a password a few times.
function readLimits(read: EnvironmentReader) {
  const isOn =
    read.choice("RATE_LIMITS", "on", ["on", "off"], "Whether registrations and sign-ins are limited.") === "on";
  const perHour = (name: string, fallback: number, meaning: string) => {
    const times = read.integer(
      name,
      fallback,
      0,
      1_000_000,
      `${meaning} an hour: that many at once, then evenly spread; 0 for no limit. Above, 429.`,
    );
    return isOn ? times : 0;
  };
  return {
    registrationsPerAddress: perHour(
      "REGISTRATIONS_PER_ADDRESS",
      60,
      "Registrations tried from one address (IPv6: one /64)",
    ),
    registrationsPerName: perHour(
      "REGISTRATIONS_PER_NAME",
      20,
      "Registrations tried for one user name or e-mail address from one address (from all: ten times as many)",
    ),
    signInsPerAddress: perHour(
      "SIGN_INS_PER_ADDRESS",
      300,
      "Sign-ins, changes of a password and deletions of an account tried from one address (IPv6: one /64)",
    ),
    signInsPerName: perHour(
      "SIGN_INS_PER_NAME",
      10,
      "Wrong passwords for one user name or e-mail address from one address (from all new ones: ten times as many)",
    ),
    ...readLimitsRedis(read, "account"),
  };
}
