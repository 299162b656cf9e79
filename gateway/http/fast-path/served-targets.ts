import type { IncomingMessage, ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import type { LoadShedding } from "../load/load-shedding.ts";
import type { RequestMetrics, RequestTally } from "../log/request-metrics.ts";
import type { ReplyLoaders } from "../replies/reply-loaders.ts";
import { jsonpTarget } from "../requests/jsonp-target.ts";
import { readBody } from "../requests/read-body.ts";
import { meetsRules } from "../requests/request-rules.ts";
import { isShortPost, typedBody } from "../requests/short-post.ts";

/** A target that was served before. */
export interface ServedTarget {
  operation: string;
  tally: RequestTally;
  loaders: ReplyLoaders;
}

/** A request for such a target. */
export interface RepeatedRequest {
  /** For `findAgain`: equal keys are the same request. */
  key: string;
  served: ServedTarget;
  /** The function that the reply is wrapped into, when this is a JSONP call. */
  callback?: string;
}

/**
 * The targets that were served before, with the loaders of their replies. Finds nothing for a request that may fail a check, and under
 * overload.
 */
export interface ServedTargets {
  /**
   * Stores the loaders of a target without a callback, after a GET of it was answered with 200 or with a cached refusal, or after a
   * POST was answered.
   * @param body of the POST, with its type; undefined for a GET
   */
  addTarget(target: string, operation: string, loaders: ReplyLoaders, body?: string): void;
  /** For a GET without a body: the same target is the same request, under any callback. */
  find(request: IncomingMessage): RepeatedRequest | undefined;
  /** For a request that was found before. */
  findAgain(key: string): RepeatedRequest | undefined;
  /** Whether a request may be a POST that was answered before; `findPosted` then reads its body. */
  mayBePosted(request: IncomingMessage): boolean;
  /** For a POST with the same short body. Rejects when the body cannot be read. */
  findPosted(request: IncomingMessage, response: ServerResponse): Promise<RepeatedRequest | undefined>;
}

export function createServedTargets(
  load: Pick<LoadShedding, "isOverloaded" | "bodies">,
  requests: RequestMetrics,
): ServedTargets {
  const targets = new LRUCache<string, ServedTarget>({
    maxSize: maxMemory,
    // Measured: 1,200 for anonymous callers with what the LRU itself takes, and 800 for viewers; for an item of a batch 250 and 250, for a
    // name of a list 93 and 61.
    sizeCalculation: ({ loaders: { items = 0, listed } }, target) =>
      2_000 + 500 * items + 155 * listed + 3 * target.length,
  });
  /** Targets of POSTs that were answered: only for these the fast path reads the body. */
  const posted = new LRUCache<string, true>({
    maxSize: maxPostedBytes,
    sizeCalculation: (_, target) => 100 + target.length,
  });

  /** @param key a target, or one with its body */
  function findAgain(key: string): RepeatedRequest | undefined {
    if (load.isOverloaded()) return undefined;
    const served = targets.get(key);
    if (served !== undefined) return { key, served };
    const call = key.includes("\n") ? undefined : jsonpTarget(key);
    const wrapped = call && targets.get(call.target);
    return wrapped && { key, served: wrapped, callback: call.callback };
  }

  return {
    addTarget(target, operation, loaders, body) {
      if (body !== undefined) posted.set(target, true);
      const key = body === undefined ? target : postKey(target, body);
      targets.set(key, { operation, tally: requests.of(operation), loaders });
    },
    find(request) {
      if ((request.method !== "GET" && request.method !== "HEAD") || !isBare(request)) return undefined;
      return meetsRules(request) ? findAgain(request.url as string) : undefined;
    },
    findAgain,
    mayBePosted(request) {
      if (!isShortPost(request) || !posted.has(request.url as string)) return false;
      return !load.isOverloaded() && meetsRules(request);
    },
    async findPosted(request, response) {
      const body = await readBody(request, response, load.bodies);
      const key = postKey(request.url as string, typedBody(request.headers, body));
      const served = targets.get(key);
      return served && { key, served };
    },
  };
}

/** Bytes of all served targets; one of 100 names takes up to 29 KB. */
const maxMemory = 5 * 1024 * 1024;

/** Bytes of all stored targets of POSTs: clients use few short ones, since the request is in the body. */
const maxPostedBytes = 256 * 1024;

/** A target holds no line break, so that keys are unambiguous. */
function postKey(target: string, body: string): string {
  return `${target}\n${body}`;
}

/** Whether a request has no body. */
export function isBare({ headers }: IncomingMessage): boolean {
  return headers["content-length"] === undefined && headers["transfer-encoding"] === undefined;
}
