import type { Client } from "@connectrpc/connect";
import type { SessionService } from "../../proto/gen/account/v1/session_service_pb.ts";
import { operation as operationOption } from "../../proto/gen/contract/v1/annotations_pb.ts";
import type { FreshnessService } from "../../proto/gen/social/v1/freshness_service_pb.ts";
import type { Log } from "../../services/platform/log.ts";
import { readOption } from "../../services/platform/read-option.ts";
import type { OnChange } from "../../services/platform/redis/client.ts";
import { connectRedis, type RedisConnection } from "../../services/platform/redis/connection.ts";
import { subjectKeyOf } from "../../services/platform/redis/freshness-key.ts";
import { createLeasedValues, type LeasedValues } from "../../services/platform/redis/leased-values.ts";
import { followClock } from "../../services/platform/redis/logical-clock.ts";
import type { RedisSettings } from "../../services/platform/redis/settings.ts";
import type { CacheCounts } from "./cache-metrics.ts";
import { createPageCache } from "./pages/page-cache.ts";
import { createRelationDigests, type FindRelations } from "./pages/relation-digests.ts";
import { createViewerPages } from "./pages/viewer-pages.ts";
import type { CachedReads, ReadCache, ReadOperation } from "./reads/cached-read.ts";
import { subjectEntries } from "./reads/subject-entries.ts";
import { subjectPages } from "./reads/subject-pages.ts";
import { createTokenReader } from "./tokens/freshness-tokens.ts";
import { listSessionTokens, listUserTokens } from "./tokens/list-tokens.ts";
import { createRememberedTokens } from "./tokens/remembered-tokens.ts";
import {
  type AnnounceRefusal,
  createAnnounceRefusal,
  createLoadOrAnnounce,
  type RaiseTokens,
} from "./tokens/seen-states.ts";
import { type SessionUsers, sessionUsers } from "./tokens/session-users.ts";
import type { TokensOf } from "./tokens/token-lists.ts";
import type { SourceOptions } from "./tokens/token-source.ts";

/** The operations with the annotation `cache`. Their replies are cached; with the cache off, replies to anonymous callers still have their state as the tag. */
export interface CachedOperations {
  /** By operation name. */
  reads: ReadonlyMap<string, CachedReads>;
  sessions: SessionUsers;
  /** Does nothing with the cache off. */
  raiseTokens: RaiseTokens;
  /** Does nothing with the cache off. */
  announceRefusal: AnnounceRefusal;
  close(): Promise<void>;
}

/** The settings of the cache. */
export interface CacheConfig extends RedisSettings {
  /** Bytes of pages that this process caches; 0 turns the cache off, in Redis too. */
  pageCacheBytes: number;
}

/** What the cache asks services, beside the operations themselves. */
export interface CachedServices {
  /** Gives the user of a session, and tokens of sessions. */
  sessions: Pick<Client<typeof SessionService>, "getSession" | "listSessionTokens">;
  /** Gives freshness tokens, and the relations of viewers to others. */
  freshness: Pick<Client<typeof FreshnessService>, "listTokens" | "listRelationDigests">;
}

/** Parts that a test replaces by broken ones, to see that its checks fail. */
export interface CacheParts {
  tokenStore(real: LeasedValues, redis: RedisConnection): LeasedValues;
  tokenReader(real: TokensOf): TokensOf;
  relations(real: FindRelations): FindRelations;
  /** What Redis reports of changed tokens. */
  changes(real: OnChange): OnChange;
}

/**
 * Sets the cache up as the configuration says; with 0 bytes for pages nothing is cached: every read asks its service.
 * @throws Error for an operation that is annotated as cached and cannot be cached
 */
export function createCachedOperations(
  config: CacheConfig,
  log: Log,
  services: CachedServices,
  operations: readonly ReadOperation[],
  counts: CacheCounts,
  parts?: CacheParts,
): CachedOperations {
  const compile = (cache?: ReadCache) => compileReads(operations, counts, cache);
  if (config.pageCacheBytes === 0) {
    const nothing = async () => {};
    return {
      reads: compile(),
      sessions: sessionUsers(services.sessions, undefined),
      raiseTokens: nothing,
      announceRefusal: nothing,
      close: nothing,
    };
  }
  const connect = (name: string, timeoutMs: number, onChange?: OnChange) =>
    config.redisUrls.length === 0 ? undefined : connectRedis(config.redisUrls, name, log, timeoutMs, onChange);
  const maxAgeMs = config.freshnessMs * rememberedPart;
  // One for each service, since token storage may be off for one of them. A session is confirmed in the batch of its reply's tokens, so
  // sessions are forgotten whenever those tokens are.
  const [ofUsers, ofSessions] = [
    createRememberedTokens(config.freshnessMs),
    createRememberedTokens(config.freshnessMs),
  ];
  const forgetBoth = (subjectKey: string | null) => {
    ofUsers.forget(subjectKey);
    ofSessions.forget(subjectKey);
  };
  const remembered = { users: { ...ofUsers, forget: forgetBoth }, sessions: ofSessions };
  const forget = (key: string | null) => {
    const subjectKey = key === null ? null : subjectKeyOf(key);
    if (subjectKey !== undefined) forgetBoth(subjectKey);
  };
  // Two connections, so that no token waits for a page.
  // The services are asked for every token: what follows for stored ones goes next.
  const tokenRedis: RedisConnection | undefined = undefined as RedisConnection | undefined;
  void parts?.changes(forget);
  const pageRedis = connect("roost-gateway-pages", 5 * config.redisTimeoutMs);

  const values = tokenRedis && createLeasedValues(tokenRedis);
  const tokenStore = values && (parts?.tokenStore(values, tokenRedis) ?? values);
  const clock = tokenRedis && followClock(tokenRedis, config.freshnessMs);
  const openReader = (of: keyof typeof remembered, source: Pick<SourceOptions, "listTokens" | "counts">) => {
    const memory = tokenRedis && { tokens: remembered[of], maxAgeMs, redis: tokenRedis };
    const reader = createTokenReader({
      ...source,
      of,
      tokenStore,
      clock,
      memory,
      freshnessMs: config.freshnessMs,
      log,
    });
    return { ...reader, tokensOf: parts?.tokenReader(reader.tokensOf) ?? reader.tokensOf };
  };
  const users = openReader("users", { listTokens: listUserTokens(services), counts });
  const { tokensOf, raiseTokens } = users;
  const loadOrAnnounce = createLoadOrAnnounce(users.askAnnounced);
  const sessionSource = { listTokens: listSessionTokens(services), counts: { ...counts, tokens: counts.sessions } };
  const sessions = openReader("sessions", sessionSource);
  // A small part of all reads, but each is in many lookups.
  const allEntryBytes = Math.ceil((config.pageCacheBytes * 3) / 16);
  // A sixteenth each for the names of viewers' pages and for their relations: those of some hundred viewers. All pages share the rest.
  const viewerBytes = Math.ceil(config.pageCacheBytes / 16);
  const pages = createPageCache(config.pageCacheBytes - allEntryBytes - 2 * viewerBytes, pageRedis, counts.pages);
  const viewerPages = createViewerPages(pages.viewerContents, viewerBytes);
  const relations = createRelationDigests(services.freshness, viewerBytes);
  const findRelations = parts?.relations(relations) ?? relations;
  const ofEntries = operations.filter(
    ({ method }) => readOption(method, operationOption).cache?.kind.case === "entries",
  );
  const entryBytes = Math.ceil(allEntryBytes / Math.max(ofEntries.length, 1));
  return {
    reads: compile({ tokensOf, pages, raiseTokens, loadOrAnnounce, viewerPages, findRelations, entryBytes }),
    sessions: sessionUsers(services.sessions, sessions.tokensOf),
    raiseTokens,
    announceRefusal: createAnnounceRefusal(users.askAnnounced),
    async close() {
      await clock?.close();
      tokenRedis?.close();
      pageRedis?.close();
    },
  };
}

/** The reads of those operations that are annotated as cached. */
function compileReads(
  operations: readonly ReadOperation[],
  counts: CacheCounts,
  readCache: ReadCache | undefined,
): CachedOperations["reads"] {
  const reads = new Map<string, CachedReads>();
  for (const operation of operations) {
    const { name, method, isRead } = operation;
    const { cache } = readOption(method, operationOption);
    if (cache === undefined) continue;
    if (!isRead) throw new Error(`${method} changes something, so it cannot be cached`);
    const { kind } = cache;
    if (kind.case === "page") reads.set(name, subjectPages(operation, cache, kind.value, counts, readCache));
    else if (kind.case === "entries") reads.set(name, subjectEntries(operation, cache, kind.value, counts, readCache));
    else throw new Error(`The cache of ${method} says neither page nor entries`);
  }
  return reads;
}

/** The part of FRESHNESS_MS for which a token of another process is remembered, before it is read again; tokens are stored for the rest. */
const rememberedPart = 0.1;
