import type { Client } from "@connectrpc/connect";
import type { SessionService } from "../../proto/gen/account/v1/session_service_pb.ts";
import { operation as operationOption } from "../../proto/gen/contract/v1/annotations_pb.ts";
import type { VersionService } from "../../proto/gen/social/v1/version_service_pb.ts";
import type { Log } from "../../services/platform/log.ts";
import { readOption } from "../../services/platform/read-option.ts";
import { connectRedis } from "../../services/platform/redis/connection.ts";
import type { RedisSettings } from "../../services/platform/redis/settings.ts";
import type { CacheCounts, TokenCounts } from "./cache-metrics.ts";
import { createPageCache } from "./pages/page-cache.ts";
import { createRelationDigests, type FindRelations } from "./pages/relation-digests.ts";
import { createViewerPages } from "./pages/viewer-pages.ts";
import type { CachedReads, ReadCache, ReadOperation } from "./reads/cached-read.ts";
import { subjectEntries } from "./reads/subject-entries.ts";
import { subjectPages } from "./reads/subject-pages.ts";
import { createTokenReader } from "./tokens/freshness-tokens.ts";
import { type ListTokens, listSessionTokens, listUserTokens } from "./tokens/list-tokens.ts";
import { type SessionUsers, sessionUsers } from "./tokens/session-users.ts";
import type { TokensOf } from "./tokens/token-lists.ts";

/** The operations with the annotation `cache`. Their replies are cached; with the cache off, replies to anonymous callers still have their state as the tag. */
export interface CachedOperations {
  /** By operation name. */
  reads: ReadonlyMap<string, CachedReads>;
  sessions: SessionUsers;
  close(): Promise<void>;
}

/** The settings of the cache. */
export interface CacheConfig extends RedisSettings {
  /** Bytes of pages that this process caches; 0 turns the cache off, in Redis too. */
  pageCacheBytes: number;
}

/** What the cache asks services, beside the operations themselves. */
export interface CachedServices {
  /** Gives the users of sessions. */
  sessions: Pick<Client<typeof SessionService>, "findSessionUsers">;
  /** Gives the versions of users, and the relations of viewers to others. */
  versions: Pick<Client<typeof VersionService>, "listVersions" | "listRelationDigests">;
}

/** Parts that a test replaces by broken ones, to see that its checks fail. */
export interface CacheParts {
  tokenReader(real: TokensOf): TokensOf;
  relations(real: FindRelations): FindRelations;
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
    return { reads: compile(), sessions: sessionUsers(services.sessions, undefined), close: async () => {} };
  }
  const { redisUrls, redisTimeoutMs } = config;
  const pageRedis =
    redisUrls.length === 0 ? undefined : connectRedis(redisUrls, "roost-gateway-pages", log, 5 * redisTimeoutMs);
  const openReader = (listTokens: ListTokens, of: TokenCounts) => {
    const reader = createTokenReader(listTokens, of, counts.batches);
    return parts?.tokenReader(reader) ?? reader;
  };
  const tokensOf = openReader(listUserTokens(services.versions), counts.tokens);
  const sessions = openReader(listSessionTokens(services.sessions), counts.sessions);
  // A small part of all reads, but each is in many lookups.
  const allEntryBytes = Math.ceil((config.pageCacheBytes * 3) / 16);
  // A sixteenth each for the names of viewers' pages and for their relations: those of some hundred viewers. All pages share the rest.
  const viewerBytes = Math.ceil(config.pageCacheBytes / 16);
  const pages = createPageCache(config.pageCacheBytes - allEntryBytes - 2 * viewerBytes, pageRedis, counts.pages);
  const viewerPages = createViewerPages(pages.viewerContents, viewerBytes);
  const relations = createRelationDigests(services.versions, viewerBytes);
  const findRelations = parts?.relations(relations) ?? relations;
  const ofEntries = operations.filter(
    ({ method }) => readOption(method, operationOption).cache?.kind.case === "entries",
  );
  const entryBytes = Math.ceil(allEntryBytes / Math.max(ofEntries.length, 1));
  return {
    reads: compile({ tokensOf, pages, viewerPages, findRelations, entryBytes }),
    sessions: sessionUsers(services.sessions, sessions),
    async close() {
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
