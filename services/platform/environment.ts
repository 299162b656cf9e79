import { readFileSync } from "node:fs";

/** A setting as docs/operations.md lists it. */
export interface Setting {
  /** The variable; where there are several, the first one that is set counts. */
  names: readonly string[];
  /** The default; empty for none. */
  fallback: string;
  /** The values that it may have. */
  values: string;
  /** Whether it is a secret: never printed, and also read from the file that NAME_FILE names. */
  isSecret: boolean;
  meaning: string;
}

/** Reads one process's settings. The `meaning` of each call is the setting's description in docs/operations.md. */
export type EnvironmentReader = ReturnType<typeof createReader>;

/**
 * Builds a typed configuration from an environment.
 * @throws ConfigurationError naming every faulty variable; values are never repeated, since they may be secrets
 */
export function readEnvironment<T>(env: NodeJS.ProcessEnv, build: (read: EnvironmentReader) => T): T {
  const faults: string[] = [];
  const config = build(createReader(env, faults, []));
  if (faults.length > 0) throw new ConfigurationError(faults);
  return config;
}

/** The settings that a configuration reads, in that order. */
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

/** Notes each setting that it reads in `asked`, and collects all faults, so that an operator can correct them at once. */
function createReader(env: NodeJS.ProcessEnv, faults: string[], asked: Setting[]) {
  const { plain, secretText, checkedUrl, wholeNumber, oneOf } = createValueReader(env, faults);
  const note = (setting: Partial<Setting> & Pick<Setting, "names" | "values" | "meaning">) =>
    void asked.push({ fallback: "", isSecret: false, ...setting });

  return {
    /** The text, or the fallback when unset or empty. */
    text(name: string, fallback: string, meaning: string): string {
      note({ names: [name], fallback, values: "a text", meaning });
      return plain(name) ?? fallback;
    },
    /** The parts of a comma-separated text, without blanks around them; none when unset or empty. */
    list(name: string, meaning: string): string[] {
      note({ names: [name], values: "a list, separated by commas", meaning });
      return parts(plain(name));
    },
    /** Origins as browsers send them, such as https://a.example; none when unset or empty. */
    origins(name: string, meaning: string): string[] {
      note({ names: [name], values: "origins such as `https://a.example`, separated by commas", meaning });
      const origins = parts(plain(name));
      if (!origins.every(isOrigin)) faults.push(`${name} must be origins such as https://a.example, without a path`);
      return origins;
    },
    /** A secret, or undefined when unset or empty; like every secret also from the file that NAME_FILE names. */
    secret(name: string, meaning: string): string | undefined {
      note({ names: [name], values: "a text", isSecret: true, meaning });
      return secretText(name);
    },
    /** A secret URL of one of these schemes, such as `redis`. */
    secretUrl(name: string, schemes: readonly string[], meaning: string): string | undefined {
      note({ names: [name], values: urlOf(schemes), isSecret: true, meaning });
      return checkedUrl(name, secretText(name), schemes);
    },
    /** Secret URLs between commas; none when unset or empty. */
    secretUrls(name: string, schemes: readonly string[], meaning: string): string[] {
      note({ names: [name], values: `${urlOf(schemes)}, or several, separated by commas`, isSecret: true, meaning });
      const urls = parts(secretText(name));
      return urls.every((url) => checkedUrl(name, url, schemes) !== undefined) ? urls : [];
    },
    /** The postgres URL of the first name that is set; a fault when none is. */
    databaseUrl(names: readonly string[], meaning: string): string {
      note({ names, values: urlOf(postgresSchemes), isSecret: true, meaning: `${meaning} Required.` });
      for (const name of names) {
        const text = secretText(name);
        if (text !== undefined) return checkedUrl(name, text, postgresSchemes) ?? "";
      }
      faults.push(`${names.join(" or ")} must be set`);
      return "";
    },
    /** A whole number within [min, max]. */
    integer(name: string, fallback: number, min: number, max: number, meaning: string): number {
      note({ names: [name], fallback: `${fallback}`, values: `${min} to ${max}`, meaning });
      return wholeNumber(name, min, max) ?? fallback;
    },
    /** DRAIN_MS: milliseconds of a stop in which everything is still served. @param where balancers see the stop */
    drainMs(where: string): number {
      return this.integer("DRAIN_MS", 0, 0, 5_000, drainMeaning(where));
    },
    /** The port for metrics; undefined when unset. */
    adminPort(name: string): number | undefined {
      note({ names: [name], values: "0 to 65535", meaning: adminPortMeaning });
      return wholeNumber(name, 0, 65_535);
    },
    /** One of a few words. */
    choice<T extends string>(name: string, fallback: T, words: readonly T[], meaning: string): T {
      note({ names: [name], fallback, values: words.join(", "), meaning });
      return oneOf(name, words) ?? fallback;
    },
    /** An absolute http(s) URL to which a path can be added: without a trailing slash, a query and a fragment. */
    url(name: string, fallback: string, meaning: string): string {
      note({ names: [name], fallback, values: urlOf(httpSchemes), meaning });
      const url = checkedUrl(name, plain(name), httpSchemes) ?? fallback;
      if (/[?#]/.test(url)) faults.push(`${name} must be ${urlOf(httpSchemes)} without ? and #`);
      return url.replace(/\/+$/, "");
    },
    /** How much is logged: LOG_LEVEL, info by default. */
    logLevel(): string {
      return this.choice("LOG_LEVEL", "info", logLevels, "The lowest level that is logged.");
    },
    /** The tokens that admit callers from other machines: SERVICE_TOKEN, the one to present first. */
    serviceTokens(): string[] {
      const name = "SERVICE_TOKEN";
      note({ names: [name], values: "a list, separated by commas", isSecret: true, meaning: serviceTokenMeaning });
      const tokens = parts(secretText(name));
      // Node refuses other characters in headers with an error that repeats the value.
      if (!tokens.every((token) => /^[ -~]+$/.test(token))) {
        faults.push(`${name} must be printable ASCII on one line: it is sent as a header`);
      }
      return tokens;
    },
    /** Adds a fault that concerns several settings. It must not repeat a value. */
    refuse: (fault: string) => void faults.push(fault),
  };
}

/** Reads single values, and adds what is wrong with them to `faults`. */
function createValueReader(env: NodeJS.ProcessEnv, faults: string[]) {
  const plain = (name: string) => env[name]?.trim() || undefined;

  /** A secret's text, from its variable or its file. */
  function secretText(name: string): string | undefined {
    const [text, file] = [plain(name), plain(`${name}_FILE`)];
    if (file === undefined) return text;
    if (text !== undefined) faults.push(`${name} and ${name}_FILE must not both be set`);
    const found = readSecretFile(file);
    if (found === undefined) faults.push(`${name}_FILE must name a file that can be read and is not empty`);
    return found;
  }

  function checkedUrl(name: string, text: string | undefined, schemes: readonly string[]): string | undefined {
    if (text === undefined || isUrlOf(schemes, text)) return text;
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

  function oneOf<T extends string>(name: string, words: readonly T[]): T | undefined {
    const text = plain(name);
    const word = words.find((one) => one === text);
    if (text !== undefined && word === undefined) faults.push(`${name} must be one of ${words.join(", ")}`);
    return word;
  }

  return { plain, secretText, checkedUrl, wholeNumber, oneOf };
}

const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"];
const httpSchemes = ["http", "https"];
const postgresSchemes = ["postgres", "postgresql"];
const adminPortMeaning =
  "The port for `/metrics`, on the same address; 0 picks a free one. None when unset. Not for the public.";
const serviceTokenMeaning =
  "Admits callers from other machines to the services. During a change it has two values, the new one first: both are accepted, the first is sent.";

function drainMeaning(where: string): string {
  return `Milliseconds during a stop in which ${where} already reports it and everything is still served: twice the time that a balancer needs to notice. In the second half replies close their connections.`;
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

/** Whether a text has the form of an Origin header; any other form would never match one. Apps have schemes of their own. */
function isOrigin(text: string): boolean {
  if (/^https?:/i.test(text)) return URL.canParse(text) && new URL(text).origin === text;
  return /^[a-z][a-z\d+.-]*:\/\/[^\s/?#@]+$/.test(text);
}

/** Whether a text is a URL with one of these schemes that the clients of such servers can read. */
function isUrlOf(schemes: readonly string[], text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  const scheme = url.protocol.slice(0, -1);
  return schemes.includes(scheme) && (!scheme.startsWith("redis") || isRedisUrl(url));
}

/** These clients decode user and password, read the path as the number of a database, and connect to this machine without a host. */
function isRedisUrl({ username, password, hostname, pathname }: URL): boolean {
  try {
    decodeURIComponent(username + password);
  } catch {
    return false;
  }
  return hostname !== "" && /^\/?\d*$/.test(pathname);
}
