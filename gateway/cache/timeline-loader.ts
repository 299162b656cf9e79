import { create } from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";
import {
  ListedTimelineSchema,
  ListTimelinesRequestSchema,
  SocialService,
  type SocialTimelinesRequest,
  type SocialTimelinesResponse,
  SocialTimelinesResponseSchema,
} from "../../proto/gen/social/v1/social_service_pb.ts";
import { maxEntries } from "../../services/platform/max-entries.ts";
import { isScreenName } from "../../services/platform/rules/screen-name.ts";
import type { Deadline } from "../http/limits/deadline.ts";
import type { PageContent } from "../http/replies/page.ts";
import { compileTranscoder } from "../rendering/compile-transcoder.ts";
import { rangesOf, textsOf } from "../rendering/wire-reader.ts";
import { askList } from "./ask-list.ts";
import { type BatchValues, createBatcher } from "./batcher.ts";
import type { CacheCounts } from "./cache-metrics.ts";
import type { ReadOperation } from "./cached-read.ts";
import { listCall } from "./list-call.ts";

/** Loads one page of a timeline for anonymous callers. Rejects with ConnectError. */
export type LoadTimeline = (request: SocialTimelinesRequest, deadline: Deadline) => Promise<PageContent>;

/** Loads pages in batches: a call for each would cost both sides more than a short page does. */
export function createTimelineLoader(
  operation: ReadOperation,
  social: Transport,
  counts: Pick<CacheCounts, "batches">,
): LoadTimeline {
  const listTimelines = listCall(SocialService.method.listTimelines, social, readTimeline);
  /** What the keys of the next batch ask for. */
  const wanted = new Map<string, SocialTimelinesRequest>();

  const load = createBatcher(loadBatch, { maxConcurrent, stalledMs: 250 });

  async function loadBatch(keys: string[], deadline: Deadline): Promise<BatchValues<PageContent>> {
    counts.batches.timelines.observe(keys.length);
    const requests = keys.map((key) => wanted.get(key) as SocialTimelinesRequest);
    for (const key of keys) wanted.delete(key);
    const lists = cutIntoLists(requests).map((list) => askList(list, (part) => loadTogether(part, deadline)));
    return (await Promise.all(lists)).flat();
  }

  async function loadTogether(
    requests: readonly SocialTimelinesRequest[],
    deadline: Deadline,
  ): Promise<BatchValues<PageContent>> {
    const [first] = requests;
    if (first !== undefined && requests.length === 1) return [await loadAlone(first, deadline)];
    const timelines = await listTimelines(create(ListTimelinesRequestSchema, { requests: [...requests] }), deadline);
    // In a list of another length it is unknown which timeline answers which request.
    const isWhole = timelines.length === requests.length;
    const pages = requests.map(async (request, index) => (isWhole && timelines[index]) || loadAlone(request, deadline));
    await Promise.allSettled(pages);
    return pages;
  }

  async function loadAlone(request: SocialTimelinesRequest, deadline: Deadline): Promise<PageContent> {
    const { message } = await operation.call(request, {}, deadline);
    return { bytes: Buffer.from(operation.render(message)), state: (message as SocialTimelinesResponse).freshness };
  }

  return async (request, deadline) => {
    if (!isScreenName(request.screenName)) return loadAlone(request, deadline);
    const key = `${whichPage(request)}:${request.screenName.toLowerCase()}`;
    wanted.set(key, request);
    const [page] = (await load([key], deadline)) as [PageContent];
    return page;
  };
}

/** A timeline as it was listed; undefined when anonymous callers may not see it. */
function readTimeline(listed: Uint8Array): PageContent | undefined {
  const [range] = rangesOf(listed, ListedTimelineSchema.field.timeline.number);
  if (range === undefined) return undefined;
  const timeline = listed.subarray(...range);
  const [state = ""] = textsOf(timeline, SocialTimelinesResponseSchema.field.freshness.number);
  return { bytes: transcode(timeline), state };
}

const transcode = compileTranscoder(SocialTimelinesResponseSchema);

/** Names the page of a timeline that is asked for, without its user. */
export function whichPage({ take, sinceId, maxId }: SocialTimelinesRequest): string {
  return `${take ?? ""}:${sinceId ?? ""}:${maxId ?? ""}`;
}

/** Cuts requests into lists that the service takes. */
function cutIntoLists(requests: readonly SocialTimelinesRequest[]): SocialTimelinesRequest[][] {
  const lists: SocialTimelinesRequest[][] = [];
  let list: SocialTimelinesRequest[] = [];
  let statuses = 0;
  for (const request of requests) {
    const take = Math.min(Math.max(Number(request.take ?? 100n), 1), 200);
    if (lists.length === 0 || list.length >= maxRequests || statuses + take > maxStatuses) {
      list = [];
      lists.push(list);
      statuses = 0;
    }
    list.push(request);
    statuses += take;
  }
  return lists;
}

const maxRequests = maxEntries(ListTimelinesRequestSchema);

/** Statuses in one list: bounds the size of a message; for long pages the cost of a call of their own is small. */
const maxStatuses = 400;

/** Batches under way: more than one, so that no page waits long; few, so that pages still share batches. */
const maxConcurrent = 4;
