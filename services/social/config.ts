import { type EnvironmentReader, readEnvironment } from "../platform/environment.ts";
import { readLimitsRedis } from "../platform/redis/settings.ts";
import { readServiceSettings, readStatusLength } from "../platform/service-settings.ts";

/** Settings of the social service. */
export type SocialConfig = ReturnType<typeof readConfig>;

/** Reads and checks the environment. @throws ConfigurationError naming every fault */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): SocialConfig {
  return readEnvironment(env, readConfig);
}

/** Reads what the social service needs of its environment. */
export function readConfig(read: EnvironmentReader) {
  return {
    ...readServiceSettings(read, { name: "SOCIAL", port: 4002, holds: "profiles and statuses", direct: "migrations" }),
    statusLength: readStatusLength(read),
    writeLimits: readWriteLimits(read),
    maxFollows: read.integer(
      "MAX_FOLLOWS",
      5_000,
      1,
      100_000,
      "Users whom a user may follow or ask to follow. A home timeline reads all of them. Above, 403 `LimitReached`.",
    ),
    // A page that polls every few seconds, for many users behind one address.
    readsPerAddress: read.integer(
      "READS_PER_ADDRESS",
      600,
      0,
      1_000_000,
      "Searches and reads of the public timeline from one address (IPv6: one /64) a minute: that many at once, then evenly spread; 0 for no limit. Above, 429.",
    ),
  };
}

// Above what a person writes in that time, and low enough to stop spam.
function readWriteLimits(read: EnvironmentReader) {
  const times = (name: string, fallback: number, meaning: string) =>
    read.integer(name, fallback, 0, 1_000_000, `${meaning}; 0 for no limit. Above, 429.`);
  return {
    statuses: times("STATUSES_PER_3_HOURS", 300, "Statuses, reposts included, that a user may publish in three hours"),
    follows: times("FOLLOWS_PER_DAY", 400, "Users whom a user may follow or ask to follow in a day"),
    marks: times("MARKS_PER_DAY", 1_000, "Statuses that a user may mark as favourite in a day"),
    reports: times("REPORTS_PER_DAY", 1_000, "Reports that a user may make in a day"),
    changes: times("CHANGES_PER_DAY", 10_000, "Other writes that a user may make in a day, undoing included"),
    ...readLimitsRedis(read, "social"),
  };
}
