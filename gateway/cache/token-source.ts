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
import { viewerIdOf } from "../../services/platform/redis/freshness-key.ts";
import type { ClockReader } from "../../services/platform/redis/logical-clock.ts";
import { type Deadline, millisecondsUntil } from "../http/limits/deadline.ts";
import { askList } from "./ask-list.ts";
import { type Ask, type BatchValues, createBatcher } from "./batcher.ts";
import type { CacheCounts } from "./cache-metrics.ts";
import type { FreshnessToken } from "./freshness-tokens.ts";
import { createTokenStorageState } from "./token-storage-state.ts";

export interface SourceOptions {
  service: Pick<Client<typeof FreshnessService>, "listTokens">;
  /** The clock in this gateway's Redis: tells whether a stored token is too old or of another Redis; undefined without Redis. */
  clock: Pick<ClockReader, "isRecent"> | undefined;
  /** Milliseconds for which a token is stored. */
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
  /** Asks for tokens; once they have come no gateway answers a later read with an older one. */
  askAnnounced: Ask<FreshnessToken>;
  /** Whether all social processes drop changed tokens in this gateway's Redis, by what the service said last. */
  mayStore(): boolean;
  /** By subject key the last token that this gateway saw of which no gateway shows an older one any more. */
  announced: Announced;
}

export type Announced = Pick<Map<string, FreshnessToken>, "get"> & {
  set(subjectKey: string, token: FreshnessToken): void;
};

export function createTokenSource({ service, clock, freshnessMs, log, counts }: SourceOptions): TokenSource {
  const storage = createTokenStorageState(log, counts.tokens);
  const announced = new LRUCache<string, FreshnessToken>({ max: maxAnnounced });

  async function askService(keys: string[], deadline: Deadline, isAnnounced: boolean) {
    counts.batches.ask.observe(keys.length);
    counts.tokens.made.value += keys.length;
    const answers: Pick<ListTokensResponse, "keepMs" | "tick">[] = [];
    const list = async (subjectKeys: readonly string[]) => {
      const names = subjectKeys.filter((key) => viewerIdOf(key) === undefined);
      const viewers = subjectKeys.filter((key) => viewerIdOf(key) !== undefined);
      const known = (keys: readonly string[]) => (isAnnounced ? keys.map((key) => announced.get(key) ?? "") : []);
      const request = {
        screenNames: names,
        announcedTokens: known(names),
        viewerIds: viewers.map((key) => viewerIdOf(key) as bigint),
        announcedViewerTokens: known(viewers),
      };
      const answer = await service.listTokens(request, { timeoutMs: millisecondsUntil(deadline) });
      answers.push(answer);
      const [tokens, viewerTokens] = [answer.tokens.values(), answer.viewerTokens.values()];
      return subjectKeys.map((key) => {
        // A service that knows no viewers gives no tokens of theirs.
        const token = (viewerIdOf(key) === undefined ? tokens : viewerTokens).next().value ?? "";
        if (isAnnounced) announced.set(key, token);
        return { token, tick: answer.tick };
      });
    };
    const tokens = (await Promise.all(chunk(keys, maxSubjects).map((some) => askList(some, list)))).flat();
    if (clock !== undefined && answers.length > 0) updateStorage(clock, answers);
    return tokens;
  }

  /** Sets whether tokens may be stored, by the service's latest answers. */
  function updateStorage(
    clock: Pick<ClockReader, "isRecent">,
    answers: Pick<ListTokensResponse, "keepMs" | "tick">[],
  ): void {
    if (answers.some(({ keepMs }) => keepMs < freshnessMs)) {
      storage.disable("the social processes do not drop tokens for that long in one Redis");
    } else if (!answers.every(({ tick }) => clock.isRecent(tick))) {
      storage.disable("the social processes use another Redis");
    } else storage.enable();
  }

  const batches = (isAnnounced: boolean) =>
    createBatcher<AskedToken>(
      (keys, deadline): Promise<BatchValues<AskedToken>> => askService(keys, deadline, isAnnounced),
      { gatherMs: () => (storage.isEnabled() ? gatherMs : 0) },
    );
  const askAnnounced = batches(true);
  return {
    ask: batches(false),
    askAnnounced: async (keys, deadline) => (await askAnnounced(keys, deadline)).map(({ token }) => token),
    mayStore: storage.isEnabled,
    announced,
  };
}

/** Subjects in one call: each comes with a token, so half of the entries. A batch of large lookups has more. */
const maxSubjects = maxEntries(ListTokensRequestSchema) / 2;

/** Milliseconds: with tokens in Redis few of them are asked for, and a call for each would cost more than the wait. */
const gatherMs = 5;

/** Subjects; a state of a forgotten one is announced again. */
const maxAnnounced = 10_000;
