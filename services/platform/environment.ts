/** Reads one process's settings; every fault is collected, so that a person mends them all at once. */
export interface EnvironmentReader {
  /** The text, or the fallback when unset or empty. */
  text(name: string, fallback: string): string;
  /** The text, or undefined when unset or empty. */
  optional(name: string): string | undefined;
  /** The text of the first name that is set; a fault when none is. */
  required(...names: string[]): string;
  /** A whole number within [least, most]. */
  integer(name: string, fallback: number, least: number, most: number): number;
  /** How much is logged: LOG_LEVEL, info by default. */
  logLevel(): string;
  /** An absolute http(s) URL without a trailing slash. */
  url(name: string, fallback: string): string;
}

/**
 * Builds a typed configuration from an environment.
 * @throws ConfigurationError naming every faulty variable; values are never repeated, they may be secrets.
 */
export function readEnvironment<T>(env: NodeJS.ProcessEnv, build: (read: EnvironmentReader) => T): T {
  const faults: string[] = [];
  const config = build(reader(env, faults));
  if (faults.length > 0) throw new ConfigurationError(faults);
  return config;
}

export class ConfigurationError extends Error {
  override name = "ConfigurationError";
  constructor(readonly faults: string[]) {
    super(`Cannot start with these settings:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`);
  }
}

function reader(env: NodeJS.ProcessEnv, faults: string[]): EnvironmentReader {
  const optional = (name: string) => env[name]?.trim() || undefined;
  return {
    optional,
    text: (name, fallback) => optional(name) ?? fallback,
    required(...names) {
      const found = names.map(optional).find((value) => value !== undefined);
      if (found === undefined) faults.push(`${names.join(" or ")} must be set`);
      return found ?? "";
    },
    integer(name, fallback, least, most) {
      const text = optional(name);
      if (text === undefined) return fallback;
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      if (value >= least && value <= most) return value;
      faults.push(`${name} must be a whole number from ${least} to ${most}`);
      return fallback;
    },
    logLevel() {
      const level = optional("LOG_LEVEL") ?? "info";
      if (!logLevels.includes(level)) faults.push(`LOG_LEVEL must be one of ${logLevels.join(", ")}`);
      return level;
    },
    url(name, fallback) {
      const text = optional(name) ?? fallback;
      const parsed = URL.canParse(text) ? new URL(text) : undefined;
      if (parsed?.protocol === "http:" || parsed?.protocol === "https:") return text.replace(/\/+$/, "");
      faults.push(`${name} must be an http or https URL`);
      return fallback;
    },
  };
}

const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"];
