import type { Client } from "@connectrpc/connect";
import { LRUCache } from "lru-cache";
import {
  type FreshnessService,
  ListTokensRequestSchema,
  type ListTokensResponse,
} from "../../proto/gen/social/v1/freshness_service_pb.ts";
import { chunk } from "../../services/platform/chunk.ts";
import type { Log } from "../../services/platform/log.ts";
import { maxEntries } from "../../services/platform/max-entries.ts";
import type { ClockReader } from "../../services/platform/redis/logical-clock.ts";
import { type Deadline, millisecondsUntil } from "../http/limits/deadline.ts";
import { askList } from "./ask-list.ts";
import { type Ask, type BatchValues, createBatcher } from "./batcher.ts";
import type { CacheCounts } from "./cache-metrics.ts";
import type { FreshnessToken } from "./freshness-tokens.ts";
import { createKeeping } from "./token-storage.ts";

export interface SourceOptions {
  service: Pick<Client<typeof FreshnessService>, "listTokens">;
  /** The clock in this gateway's Redis, by which a kept token is too old, or another Redis's; undefined without Redis. */
  clock: Pick<ClockReader, "isRecent"> | undefined;
  /** Milliseconds for which a token is kept. */
  freshnessMs: number;
  log: Log;
  counts: Pick<CacheCounts, "tokens" | "batches">;
}

/** A token, and the tick under which the service read it. */
export interface AskedToken {
  token: FreshnessToken;
  tick: string;
}

/** The social service as the source of tokens. Its questions reject with ConnectError. */
export interface TokenSource {
  ask: Ask<AskedToken>;
  /** Asks for tokens behind which no reader of any gateway goes back once they have come. */
  askAnnounced: Ask<FreshnessToken>;
  /** Whether all social processes drop changed tokens in this gateway's Redis, by what the service said last. */
  isKept(): boolean;
  /** By name key the token that this gateway saw last of those behind which no reader goes back any more. */
  announced: Announced;
}

export type Announced = Pick<Map<string, FreshnessToken>, "get"> & {
  set(nameKey: string, token: FreshnessToken): void;
};

export function createTokenSource({ service, clock, freshnessMs, log, counts }: SourceOptions): TokenSource {
  const keeping = createKeeping(log, counts.tokens);
  const announced = new LRUCache<string, FreshnessToken>({ max: maxAnnounced });

  async function askService(keys: string[], deadline: Deadline, isAnnounced: boolean) {
    counts.batches.ask.observe(keys.length);
    counts.tokens.made.value += keys.length;
    const answers: Pick<ListTokensResponse, "keepMs" | "tick">[] = [];
    const list = async (names: readonly string[]) => {
      const announcedTokens = isAnnounced ? names.map((name) => announced.get(name) ?? "") : [];
      const request = { screenNames: [...names], announcedTokens };
      const answer = await service.listTokens(request, { timeoutMs: millisecondsUntil(deadline) });
      answers.push(answer);
      if (isAnnounced) names.forEach((name, index) => void announced.set(name, answer.tokens[index] ?? ""));
      return answer.tokens.map((token) => ({ token, tick: answer.tick }));
    };
    const tokens = (await Promise.all(chunk(keys, maxNames).map((names) => askList(names, list)))).flat();
    if (clock !== undefined && answers.length > 0) heed(clock, answers);
    return tokens;
  }

  /** Goes by what the service promised last. */
  function heed(clock: Pick<ClockReader, "isRecent">, answers: Pick<ListTokensResponse, "keepMs" | "tick">[]): void {
    if (answers.some(({ keepMs }) => keepMs < freshnessMs)) {
      keeping.note("the social processes do not drop tokens for that long in one Redis");
    } else if (!answers.every(({ tick }) => clock.isRecent(tick))) {
      keeping.note("the social processes use another Redis");
    } else keeping.note("kept");
  }

  const batches = (isAnnounced: boolean) =>
    createBatcher<AskedToken>(
      (keys, deadline): Promise<BatchValues<AskedToken>> => askService(keys, deadline, isAnnounced),
      { gatherMs: () => (keeping.isOn() ? gatherMs : 0) },
    );
  const askAnnounced = batches(true);
  return {
    ask: batches(false),
    askAnnounced: async (keys, deadline) => (await askAnnounced(keys, deadline)).map(({ token }) => token),
    isKept: keeping.isOn,
    announced,
  };
}

/** Names in one call, each with a token; a batch of large lookups has more. */
const maxNames = maxEntries(ListTokensRequestSchema) / 2;

/** Milliseconds: with tokens in Redis few have to be asked for, and a call for each would cost more than they do. */
const gatherMs = 5;

/** Names: of others the service announces a state again. */
const maxAnnounced = 10_000;
