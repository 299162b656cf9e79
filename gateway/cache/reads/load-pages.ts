import { create, type DescField, type DescMethod, type DescMethodUnary, type Message } from "@bufbuild/protobuf";
import type { Cache, CachedPage } from "../../../proto/gen/contract/v1/annotations_pb.ts";
import { maxEntries } from "../../../services/platform/max-entries.ts";
import { rawCall } from "../../calls/raw-call.ts";
import type { Deadline } from "../../http/limits/deadline.ts";
import type { PageContent } from "../../http/replies/page.ts";
import { compileCompactTranscoder } from "../../rendering/compile-transcoder.ts";
import { rangesOf, textsOf } from "../../rendering/wire-reader.ts";
import { askList } from "../batches/ask-list.ts";
import { type BatchValues, createBatcher } from "../batches/batcher.ts";
import type { CacheCounts } from "../cache-metrics.ts";
import type { ReadOperation } from "./cached-read.ts";
import { listCall, listOf } from "./list-call.ts";
import { compilePageSize, type PageRequest } from "./page-request.ts";
import { textField } from "./text-field.ts";

/** Loads one page for anonymous callers. Rejects with ConnectError. */
export type LoadContent = (request: Message, deadline: Deadline) => Promise<PageContent>;

/**
 * Loads pages in batches, where the service lists several: a call for each would cost both sides more than a short page does.
 * @throws Error for an annotation that cannot be served
 */
export function createLoadPages(
  operation: ReadOperation,
  cache: Cache,
  kind: CachedPage,
  { nameKey, whichPage }: PageRequest,
  counts: Pick<CacheCounts, "batches">,
): LoadContent {
  const { input, output } = operation.method;
  const state = textField(output, cache.version);
  // A page alone is a batch of one: it takes the connections of batches, which `maxConcurrent` bounds, not the callers.
  const callAlone = rawCall(operation.method, operation.transport);
  if (kind.listRpc === "") return loadAlone;

  const sizeOf = compilePageSize(input, kind);
  const { method, requestList, reply } = listRpc(operation.method, kind.listRpc);
  const maxRequests = maxEntries(method.input);
  const listPages = listCall(method, operation.transport, pageReader(reply, state));
  const keysInBatch = counts.batches.of(cache.name);
  const load = createBatcher<PageContent, Message>(
    (requests, deadline) => {
      keysInBatch.observe(requests.length);
      return askList(requests, (part) => loadTogether(part, deadline));
    },
    {
      maxConcurrent,
      maxFull,
      stalledMs: 250,
      textOf: (request) => `${whichPage(request)}:${nameKey(request)}`,
      // Each batch is one call: this bounds the loaded pages that a gateway has in memory at a time.
      size: { of: (request) => Math.max(sizeOf(request), kind.maxSize / maxRequests), max: kind.maxSize },
    },
  );

  async function loadTogether(requests: readonly Message[], deadline: Deadline): Promise<BatchValues<PageContent>> {
    const [first] = requests;
    if (first !== undefined && requests.length === 1) return [await loadAlone(first, deadline)];
    const listed = await listPages(create(method.input, { [requestList.localName]: [...requests] }), deadline);
    // If the lengths differ, no page can be assigned to its request.
    const isWhole = listed.length === requests.length;
    const pages = requests.map(async (request, index) => (isWhole && listed[index]) || loadAlone(request, deadline));
    await Promise.allSettled(pages);
    return pages;
  }

  async function loadAlone(request: Message, deadline: Deadline): Promise<PageContent> {
    const { wire } = await callAlone(request, {}, deadline);
    const bytes = operation.render(wire);
    const [token = ""] = textsOf(wire, state.number);
    return { bytes, state: token };
  }

  return async (request, deadline) => {
    if (nameKey(request) === undefined) return loadAlone(request, deadline);
    const [page] = (await load([request], deadline)) as [PageContent];
    return page;
  };
}

/** The RPC that lists replies of another one, and where they are: see CachedPage in annotations.proto. */
function listRpc(operation: DescMethodUnary, name: string) {
  const isNamed = (one: DescMethod): one is DescMethodUnary => one.name === name && one.methodKind === "unary";
  const method = operation.parent.methods.find(isNamed);
  if (method === undefined) throw new Error(`${operation.parent} has no unary RPC ${name}`);
  const [requestList, ...others] = method.input.fields;
  const [reply] = listOf(method).message.fields;
  if (requestList?.fieldKind === "list" && requestList.message === operation.input && others.length === 0) {
    if (reply?.fieldKind === "message" && reply.message === operation.output) return { method, requestList, reply };
  }
  throw new Error(`${method} does not list pages of ${operation}`);
}

/** Reads a page as it was listed; undefined when anonymous callers may not see it. */
function pageReader(reply: DescField, state: DescField): (listed: Uint8Array) => PageContent | undefined {
  const transcode = compileCompactTranscoder(state.parent);
  return (listed) => {
    const [range] = rangesOf(listed, reply.number);
    if (range === undefined) return undefined;
    const page = listed.subarray(...range);
    const [token = ""] = textsOf(page, state.number);
    return { bytes: transcode(page), state: token };
  };
}

/** Batches under way at once: several, so that no page waits long; few, so that pages share batches. */
const maxConcurrent = 4;

/** Full batches under way at once: enough to keep several service processes busy; few, so that they need little memory. */
const maxFull = 12;
