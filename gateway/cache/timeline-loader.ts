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
import { listCall } from "../list-call.ts";
import type { Operation } from "../operations.ts";
import { compileTranscoder } from "../rendering/compile-transcoder.ts";
import { rangesOf, textsOf } from "../rendering/wire-reader.ts";
import type { CacheCounts } from "./cache-counts.ts";
import { nextFlight } from "./flights.ts";
import { isKeptName } from "./name-key.ts";
import type { PageContent } from "./page.ts";

/** Loads one page of a timeline as nobody in particular sees it. Rejects with ConnectError. */
export type LoadTimeline = (request: SocialTimelinesRequest) => Promise<PageContent>;

/** Loads pages that are wanted at the same time together: a call for each would cost both sides more than a short page does. */
export function createTimelineLoader(
  operation: Operation,
  social: Transport,
  counts: Pick<CacheCounts, "flights">,
): LoadTimeline {
  const listTimelines = listCall(SocialService.method.listTimelines, social, readTimeline);
  /** What the keys of the next flight ask for. */
  const wanted = new Map<string, SocialTimelinesRequest>();

  const load = nextFlight<PageContent>(
    async (keys) => {
      counts.flights.timelines.note(keys.length);
      const pages = loads(
        keys.map((key) => {
          const request = wanted.get(key) as SocialTimelinesRequest;
          wanted.delete(key);
          return request;
        }),
      ).flatMap((requests) => loadTogether(requests));
      await Promise.allSettled(pages);
      return pages;
    },
    { abreast: flightsAbreast },
  );

  function loadTogether(requests: SocialTimelinesRequest[]): Promise<PageContent>[] {
    if (requests.length === 1) return requests.map(loadAlone);
    const listed = listTimelines(create(ListTimelinesRequestSchema, { requests }));
    return requests.map(async (request, index) => {
      const timelines = await listed;
      // Of a list of another length nobody knows whose is whose.
      const timeline = timelines.length === requests.length ? timelines[index] : undefined;
      return timeline ?? loadAlone(request);
    });
  }

  async function loadAlone(request: SocialTimelinesRequest): Promise<PageContent> {
    const { message } = await operation.call(request, {});
    return { bytes: Buffer.from(operation.render(message)), state: (message as SocialTimelinesResponse).freshness };
  }

  return async (request) => {
    if (!isKeptName(request.screenName)) return loadAlone(request);
    const key = `${whichPage(request)}:${request.screenName.toLowerCase()}`;
    wanted.set(key, request);
    const [page] = (await load([key])) as [PageContent];
    return page;
  };
}

/** A timeline as it was listed; undefined when it cannot be shown to everybody. */
function readTimeline(listed: Uint8Array): PageContent | undefined {
  const [range] = rangesOf(listed, ListedTimelineSchema.field.timeline.number);
  if (range === undefined) return undefined;
  const timeline = listed.subarray(...range);
  const [state = ""] = textsOf(timeline, SocialTimelinesResponseSchema.field.freshness.number);
  return { bytes: transcode(timeline), state };
}

const transcode = compileTranscoder(SocialTimelinesResponseSchema);

/** Which page of a timeline is asked for, whosever it is. */
export function whichPage({ take, sinceId, maxId }: SocialTimelinesRequest): string {
  return `${take ?? ""}:${sinceId ?? ""}:${maxId ?? ""}`;
}

/** Cuts requests into such as are loaded together. */
function loads(requests: readonly SocialTimelinesRequest[]): SocialTimelinesRequest[][] {
  const parts: SocialTimelinesRequest[][] = [];
  let room = 0;
  for (const request of requests) {
    const statuses = Math.min(Math.max(Number(request.take ?? 100n), 1), 200);
    if (parts.length === 0 || statuses > room) {
      parts.push([]);
      room = mostStatuses;
    }
    parts.at(-1)?.push(request);
    room -= statuses;
  }
  return parts;
}

/** Statuses that are asked for together at most: of long pages the call is a small part, and no message should be huge. */
const mostStatuses = 400;

/** So that nobody waits long for the pages of others, and few at a time still go together. */
const flightsAbreast = 4;
