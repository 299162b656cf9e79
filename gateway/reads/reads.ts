import { create, type Message } from "@bufbuild/protobuf";
import type { Client } from "@connectrpc/connect";
import { LRUCache } from "lru-cache";
import { operation as operationOption } from "../../proto/gen/contract/v1/annotations_pb.ts";
import type { VersionService } from "../../proto/gen/social/v1/version_service_pb.ts";
import type { Log } from "../../services/platform/log.ts";
import { createLru } from "../../services/platform/lru.ts";
import { readOption } from "../../services/platform/read-option.ts";
import { connectRedis } from "../../services/platform/redis/connection.ts";
import type { RedisSettings } from "../../services/platform/redis/settings.ts";
import { fieldNamed } from "../../services/platform/rules/request-rules.ts";
import { beforeDeadline, type Deadline, deadlineAfter } from "../http/limits/deadline.ts";
import type { Answerable } from "../http/targets.ts";
import { createLoadLookups, createLoadOnce, createLoadPages, type ReadOperation } from "./load.ts";
import type { ReadCounts } from "./metrics.ts";
import { type CachedOperation, prepare, type ReadParts } from "./read.ts";
import { lookupShape, pageShape } from "./shape.ts";
import { createStore } from "./store.ts";
import { createAskSessions, createAskVersions, type VersionServices } from "./versions.ts";
import { createFindViewer } from "./viewer.ts";

/** The reads of cached operations, which are those with the annotation `cache`. */
export interface Reads {
  /** Whether the replies of an operation are cached. */
  has(operationName: string): boolean;
  /** Prepares a request of a cached operation. */
  prepare(operationName: string, input: Message): Answerable;
  /** The user id of a session, undefined for an unknown or ended one. Rejects with ConnectError. */
  findUser(sessionId: string, deadline: Deadline): Promise<string | undefined>;
  close(): void;
}

export interface ReadConfig extends RedisSettings {
  /** Bytes of pages that this process stores; 0: none, in Redis neither. */
  pageCacheBytes: number;
  /** Milliseconds for which versions and sessions may be used again. */
  reuseVersionsMs: number;
}

/** The services that reads ask, beside the operations themselves. */
export interface ReadServices extends VersionServices {
  versions: Pick<Client<typeof VersionService>, "listVersions" | "listRelationDigests">;
}

/** Replaces parts by broken ones, by which tests see that their checks fail. */
export type BreakReads = (parts: ReadParts) => ReadParts;

export interface ReadOptions {
  counts: ReadCounts;
  /** Nothing is broken when it is left out. */
  breakParts?: BreakReads | undefined;
}

/** @throws Error for an operation that is annotated as cached and cannot be */
export function createReads(
  config: ReadConfig,
  log: Log,
  services: ReadServices,
  operations: readonly ReadOperation[],
  { counts, breakParts = (parts) => parts }: ReadOptions,
): Reads {
  const { pageCacheBytes, reuseVersionsMs, redisUrls, redisTimeoutMs } = config;
  const isStored = pageCacheBytes > 0;
  const redis =
    isStored && redisUrls.length > 0
      ? // Longer than for a counter: a page takes time to transfer.
        connectRedis(redisUrls, "roost-gateway-pages", log, 5 * redisTimeoutMs)
      : undefined;
  // For relations and shown users, those of some hundred viewers; pages share the rest.
  const viewerBytes = Math.ceil(pageCacheBytes / 16);
  const parts = breakParts({
    askVersions: createAskVersions(services, reuseVersionsMs, counts.keysInGroup("versions")),
    askSessions: createAskSessions(services, reuseVersionsMs, counts.keysInGroup("sessions")),
    sessionUsers: createLru(maxSessions),
    findViewer: createFindViewer(services.versions, viewerBytes || 1),
    store: isStored ? createStore(pageCacheBytes - 2 * viewerBytes, redis, counts.pages) : undefined,
    shownUsers: new LRUCache({
      maxSize: viewerBytes || 1,
      sizeCalculation: ({ userIds = [] }, key) => 2 * key.length + 250 + 40 * userIds.length,
    }),
    loadOnce: createLoadOnce(),
    loadViewerOnce: createLoadOnce(),
  });
  const cached = new Map(operations.flatMap((operation) => compile(operation, parts, counts)));
  return {
    has: (name) => cached.has(name),
    prepare: (name, input) => prepare(cached.get(name) as CachedOperation, input),
    async findUser(sessionId, deadline) {
      const [userId = ""] = await parts.askSessions([sessionId], deadline);
      return userId === "" ? undefined : userId;
    },
    close: () => redis?.close(),
  };
}

/** Sessions whose users are remembered: two megabytes. */
const maxSessions = 10_000;

function compile(operation: ReadOperation, parts: ReadParts, counts: ReadCounts): [string, CachedOperation][] {
  const { name, method, isRead } = operation;
  const { cache } = readOption(method, operationOption);
  if (cache === undefined) return [];
  if (!isRead) throw new Error(`${method} changes something, so it cannot be cached`);
  if (cache.entries === undefined) {
    const shape = pageShape(method, cache);
    return [[name, { ...operation, parts, shape, isLookup: false, ...createLoadPages(operation, shape) }]];
  }
  const shape = lookupShape(method, cache, cache.entries.subject);
  const loads = createLoadLookups(operation, shape, counts.keysInGroup(cache.name));
  return [[name, { ...operation, parts, shape, isLookup: true, ...loads }]];
}

/**
 * Makes one read of each cached operation, so that the first request after a start finds open connections, prepared statements
 * and compiled code. Takes two seconds at most, and never rejects: a read that fails has warmed what it reached.
 */
export async function warmUp(operations: readonly ReadOperation[], reads: Reads): Promise<void> {
  const deadline = deadlineAfter(maxMs);
  const cached = operations.filter(({ name }) => reads.has(name));
  const all = cached.map((operation) =>
    beforeDeadline(deadline, reads.prepare(operation.name, readOfOne(operation)).answer("", "identity", deadline)),
  );
  await Promise.allSettled(all);
}

/** The first readers would wait for a service that does not answer as well. */
const maxMs = 2_000;

/** A request for one user; whether that user exists makes no difference. */
function readOfOne({ method }: ReadOperation): Message {
  const field = fieldNamed(method.input, readOption(method, operationOption).cache?.subject ?? "");
  return create(method.input, { [field.localName]: field.fieldKind === "list" ? ["warm_up"] : "warm_up" });
}
