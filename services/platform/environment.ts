import { readFileSync } from "node:fs";
import type { TracingOptions } from "./tracing/tracing.ts";

/** What a configuration asks of the environment, in words for the people who set it. */
export interface Setting {
  /** The variable; where there are several, the first that is set counts. */
  names: readonly string[];
  /** What holds when it is not set; empty for nothing. */
  fallback: string;
  /** What it may be. */
  values: string;
  /** Never printed, and read from the file that NAME_FILE names as well. */
  isSecret: boolean;
  meaning: string;
}

/**
 * Reads one process's settings; every fault is collected, so that an operator can correct them all at once. The last words of each
 * call say what the setting means: docs/operations.md is made of them.
 */
export interface EnvironmentReader {
  /** The text, or the fallback when unset or empty. */
  text(name: string, fallback: string, meaning: string): string;
  /** The parts of a text between commas, without blanks around them; none when unset or empty. */
  list(name: string, meaning: string): string[];
  /** A secret, or undefined when unset or empty. Like every secret it may lie in the file that NAME_FILE names. */
  secret(name: string, meaning: string): string | undefined;
  /** A secret of several parts between commas. */
  secrets(name: string, meaning: string): string[];
  /** A secret URL of one of these schemes, such as `redis`. */
  secretUrl(name: string, schemes: readonly string[], meaning: string): string | undefined;
  /** Secret URLs between commas; none when unset or empty. */
  secretUrls(name: string, schemes: readonly string[], meaning: string): string[];
  /** The postgres URL of the first name that is set; a fault when none is. */
  databaseUrl(names: readonly string[], meaning: string): string;
  /** A whole number within [min, max]. */
  integer(name: string, fallback: number, min: number, max: number, meaning: string): number;
  /** DRAIN_MS: milliseconds of a stop in which everything is still served. @param where a balancer sees the stop */
  drainMs(where: string): number;
  /** The port for metrics; undefined when unset: then there is none. */
  adminPort(name: string): number | undefined;
  /** One of a few words. */
  choice<T extends string>(name: string, fallback: T, words: readonly T[], meaning: string): T;
  /** An absolute http(s) URL without a trailing slash. */
  url(name: string, fallback: string, meaning: string): string;
  /** Where traces go, if anywhere. */
  tracing(): TracingOptions;
  /** How much is logged: LOG_LEVEL, info by default. */
  logLevel(): string;
  /** What admits callers from elsewhere: SERVICE_TOKEN, the one to present first. */
  serviceTokens(): string[];
  /** Adds a fault that no single reading shows. It must not repeat a value. */
  refuse(fault: string): void;
}

/**
 * Builds a typed configuration from an environment.
 * @throws ConfigurationError naming every faulty variable; values are never repeated, they may be secrets.
 */
export function readEnvironment<T>(env: NodeJS.ProcessEnv, build: (read: EnvironmentReader) => T): T {
  const faults: string[] = [];
  const config = build(createReader(env, faults, []));
  if (faults.length > 0) throw new ConfigurationError(faults);
  return config;
}

/** The settings that a configuration asks for, in that order. */
export function listSettings(build: (read: EnvironmentReader) => unknown): Setting[] {
  const settings: Setting[] = [];
  build(createReader({}, [], settings));
  return settings;
}

export class ConfigurationError extends Error {
  override name = "ConfigurationError";
  readonly faults: string[];

  constructor(faults: string[]) {
    super(`Cannot start with these settings:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`);
    this.faults = faults;
  }
}

function createReader(env: NodeJS.ProcessEnv, faults: string[], asked: Setting[]): EnvironmentReader {
  const plain = (name: string) => env[name]?.trim() || undefined;
  const note = (setting: Partial<Setting> & Pick<Setting, "names" | "values" | "meaning">) =>
    void asked.push({ fallback: "", isSecret: false, ...setting });

  /** A secret's text, of its variable or its file. */
  function hidden(name: string): string | undefined {
    const [text, file] = [plain(name), plain(`${name}_FILE`)];
    if (file === undefined) return text;
    if (text !== undefined) faults.push(`${name} and ${name}_FILE must not both be set`);
    const found = readSecretFile(file);
    if (found === undefined) faults.push(`${name}_FILE must name a file that can be read and is not empty`);
    return found;
  }

  function checkedUrl(name: string, text: string | undefined, schemes: readonly string[]): string | undefined {
    if (text === undefined || (URL.canParse(text) && schemes.includes(new URL(text).protocol.slice(0, -1))))
      return text;
    faults.push(`${name} must be ${urlOf(schemes)}`);
    return undefined;
  }

  function wholeNumber(name: string, min: number, max: number): number | undefined {
    const text = plain(name);
    if (text === undefined) return undefined;
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    faults.push(`${name} must be a whole number from ${min} to ${max}`);
    return undefined;
  }

  const read: EnvironmentReader = {
    text(name, fallback, meaning) {
      note({ names: [name], fallback, values: "a text", meaning });
      return plain(name) ?? fallback;
    },
    list(name, meaning) {
      note({ names: [name], values: "a list, by commas", meaning });
      return parts(plain(name));
    },
    secret(name, meaning) {
      note({ names: [name], values: "a text", isSecret: true, meaning });
      return hidden(name);
    },
    secrets(name, meaning) {
      note({ names: [name], values: "a list, by commas", isSecret: true, meaning });
      return parts(hidden(name));
    },
    secretUrl(name, schemes, meaning) {
      note({ names: [name], values: urlOf(schemes), isSecret: true, meaning });
      return checkedUrl(name, hidden(name), schemes);
    },
    secretUrls(name, schemes, meaning) {
      note({ names: [name], values: `${urlOf(schemes)}, or several by commas`, isSecret: true, meaning });
      const urls = parts(hidden(name));
      return urls.every((url) => checkedUrl(name, url, schemes) !== undefined) ? urls : [];
    },
    databaseUrl(names, meaning) {
      note({ names, values: urlOf(postgresSchemes), isSecret: true, meaning: `${meaning} Needed.` });
      for (const name of names) {
        const text = hidden(name);
        if (text !== undefined) return checkedUrl(name, text, postgresSchemes) ?? "";
      }
      faults.push(`${names.join(" or ")} must be set`);
      return "";
    },
    integer(name, fallback, min, max, meaning) {
      note({ names: [name], fallback: `${fallback}`, values: `${min} to ${max}`, meaning });
      return wholeNumber(name, min, max) ?? fallback;
    },
    drainMs: (where) => read.integer("DRAIN_MS", 0, 0, 5_000, drainMeaning(where)),
    adminPort(name) {
      note({ names: [name], values: "0 to 65535", meaning: adminPortMeaning });
      return wholeNumber(name, 0, 65_535);
    },
    choice(name, fallback, words, meaning) {
      note({ names: [name], fallback, values: words.join(", "), meaning });
      const text = plain(name) ?? fallback;
      const word = words.find((one) => one === text);
      if (word === undefined) faults.push(`${name} must be one of ${words.join(", ")}`);
      return word ?? fallback;
    },
    url(name, fallback, meaning) {
      note({ names: [name], fallback, values: urlOf(httpSchemes), meaning });
      return (checkedUrl(name, plain(name), httpSchemes) ?? fallback).replace(/\/+$/, "");
    },
    tracing: () => ({
      tracesUrl: read.url("OTEL_EXPORTER_OTLP_ENDPOINT", "", tracesUrlMeaning) || undefined,
      tracePercent: read.integer(
        "TRACE_PERCENT",
        100,
        0,
        100,
        "Of a hundred traces that begin here, how many are recorded.",
      ),
    }),
    logLevel: () => read.choice("LOG_LEVEL", "info", logLevels, "How much is logged."),
    serviceTokens: () => read.secrets("SERVICE_TOKEN", serviceTokenMeaning),
    refuse: (fault) => void faults.push(fault),
  };
  return read;
}

const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"];
const httpSchemes = ["http", "https"];
const postgresSchemes = ["postgres", "postgresql"];
const tracesUrlMeaning =
  "An OTLP receiver for traces, over HTTP, without `/v1/traces`. Nothing is traced, and nothing loaded for it, when unset.";
const adminPortMeaning =
  "The port for `/metrics`, on the same address; 0 picks a free one. None when unset. Not for the public.";
const serviceTokenMeaning =
  "What services ask of callers that are not on their own machine. During a change two, the new one first: all are taken, the first is presented.";

function drainMeaning(where: string): string {
  return `Milliseconds of a stop in which ${where} already says so and all is still served: twice as long as a balancer needs to notice. From the half on replies end their connections.`;
}

function urlOf(schemes: readonly string[]): string {
  return `a URL of ${schemes.join(" or ")}`;
}

function parts(text: string | undefined): string[] {
  const items = text?.split(",") ?? [];
  return items.map((item) => item.trim()).filter((item) => item !== "");
}

function readSecretFile(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim() || undefined;
  } catch {
    return undefined;
  }
}
