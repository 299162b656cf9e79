import { LRUCache } from "lru-cache";
import { chunk } from "../../../services/platform/chunk.ts";
import { isAbsent } from "../../../services/platform/freshness/absent-token.ts";
import type { Log } from "../../../services/platform/log.ts";
import type { ClockReader } from "../../../services/platform/redis/logical-clock.ts";
import { type Deadline, millisecondsUntil } from "../../http/limits/deadline.ts";
import { askList } from "../batches/ask-list.ts";
import { type Ask, type BatchValues, createBatcher } from "../batches/batcher.ts";
import type { CacheCounts } from "../cache-metrics.ts";
import type { FreshnessToken } from "./freshness-tokens.ts";
import { createTokenStorageState } from "./token-storage-state.ts";

/**
 * Asks a service for the tokens of subjects, in order. Rejects with ConnectError.
 * @param announced for each subject the token that is already announced, "" for none: the service announces others; undefined: it announces none
 */
export type ListTokens = (
  subjectKeys: readonly string[],
  announced: readonly string[] | undefined,
  timeoutMs: number,
) => Promise<ListedTokens>;

/** What a service answers: see ListTokensResponse. */
export interface ListedTokens {
  tokens: string[];
  keepMs: number;
  tick: string;
}

export interface SourceOptions {
  listTokens: ListTokens;
  /** The clock in this gateway's Redis: tells whether a stored token is too old or of another Redis; undefined without Redis. */
  clock: Pick<ClockReader, "isRecent"> | undefined;
  /** Milliseconds for which a token is stored. */
  freshnessMs: number;
  log: Log;
  /** The kind of subjects, for the log. */
  of: string;
  counts: Pick<CacheCounts, "tokens" | "batches">;
}

/** A token, and the tick under which the service read it. */
export interface AskedToken {
  token: FreshnessToken;
  tick: string;
}

/** A service as the source of tokens. Its calls reject with ConnectError. */
export interface TokenSource {
  ask: Ask<AskedToken>;
  /** Asks for tokens and has them announced: when it resolves, no gateway answers a later read with an older one. */
  askAnnounced: Ask<FreshnessToken>;
  /** Whether tokens may be stored: all processes of the service drop changed tokens in this gateway's Redis, by its last answer. */
  mayStore(): boolean;
  announced: Announced;
}

/**
 * By subject key the last token that was announced: no gateway shows an older state. Absent tokens are not stored, since the same absent
 * token may come back after other states.
 */
export interface Announced {
  get(subjectKey: string): FreshnessToken | undefined;
  set(subjectKey: string, token: FreshnessToken): void;
}

function createAnnounced(): Announced {
  const tokens = new LRUCache<string, FreshnessToken>({ max: maxAnnounced });
  return {
    get: (subjectKey) => tokens.get(subjectKey),
    set(subjectKey, token) {
      if (isAbsent(token)) tokens.delete(subjectKey);
      else tokens.set(subjectKey, token);
    },
  };
}

export function createTokenSource({ listTokens, clock, freshnessMs, log, of, counts }: SourceOptions): TokenSource {
  const storage = createTokenStorageState(log, of, counts.tokens);
  const announced = createAnnounced();

  /** @param valuesOf takes what the caller wants from an answer, in order */
  async function askService<V>(
    keys: string[],
    deadline: Deadline,
    isAnnounced: boolean,
    valuesOf: (answer: ListedTokens) => V[],
  ): Promise<BatchValues<V>> {
    counts.batches.ask.observe(keys.length);
    counts.tokens.made.value += keys.length;
    const answers: Pick<ListedTokens, "keepMs" | "tick">[] = [];
    const list = async (some: readonly string[]) => {
      const old = isAnnounced ? some.map((key) => announced.get(key) ?? "") : undefined;
      const answer = await listTokens(some, old, millisecondsUntil(deadline));
      answers.push(answer);
      if (old !== undefined) noteAnnounced(some, old, answer.tokens);
      return valuesOf(answer);
    };
    const values = (await Promise.all(chunk(keys, maxSubjects).map((some) => askList(some, list)))).flat();
    if (clock !== undefined && answers.length > 0) updateStorage(clock, answers);
    return values;
  }

  /** Stores only what changed: most tokens are announced already. */
  function noteAnnounced(keys: readonly string[], old: readonly string[], tokens: readonly FreshnessToken[]): void {
    for (const [index, key] of keys.entries()) {
      const token = tokens[index] ?? "";
      if (token !== old[index]) announced.set(key, token);
    }
  }

  /** Sets whether tokens may be stored, by the service's latest answers. */
  function updateStorage(clock: Pick<ClockReader, "isRecent">, answers: Pick<ListedTokens, "keepMs" | "tick">[]): void {
    if (answers.some(({ keepMs }) => keepMs < freshnessMs)) {
      storage.disable("the processes of the service do not drop tokens for that long in one Redis");
    } else if (!answers.every(({ tick }) => clock.isRecent(tick))) {
      storage.disable("the processes of the service use another Redis, or this one is a replica");
    } else storage.enable();
  }

  const batches = <V>(isAnnounced: boolean, valuesOf: (answer: ListedTokens) => V[]) =>
    createBatcher<V>((keys, deadline) => askService(keys, deadline, isAnnounced, valuesOf), {
      gatherMs: () => (storage.isEnabled() ? gatherMs : 0),
    });
  return {
    ask: batches(false, ({ tokens, tick }) => tokens.map((token) => ({ token, tick }))),
    askAnnounced: batches(true, ({ tokens }) => tokens),
    mayStore: storage.isEnabled,
    announced,
  };
}

/** Subjects in one call, which also sends a token for each. A batch of large lookups has more subjects, so it takes several calls. */
const maxSubjects = 2_000;

/** Milliseconds to gather subjects for a call: with tokens in Redis the service is asked for few, and a call for each would cost more. */
const gatherMs = 5;

/** Subjects whose announced token is stored; tokens of others are announced again. */
const maxAnnounced = 10_000;
