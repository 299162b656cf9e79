import type { Client } from "@connectrpc/connect";
import type {
  SocialService,
  SocialTimelinesRequest,
  SocialTimelinesResponse,
} from "../../proto/gen/social/v1/social_service_pb.ts";
import type { Operation } from "../operations.ts";
import type { CacheCounts } from "./cache-counts.ts";
import { nextFlight } from "./flights.ts";
import { isKeptName } from "./name-key.ts";
import type { PageContent } from "./page.ts";

/** Loads one page of a timeline as nobody in particular sees it. Rejects with ConnectError. */
export type LoadTimeline = (request: SocialTimelinesRequest) => Promise<PageContent>;

/** Loads pages that are wanted at the same time together: a call for each would cost both sides more than a short page does. */
export function createTimelineLoader(
  operation: Operation,
  service: Pick<Client<typeof SocialService>, "listTimelines">,
  counts: Pick<CacheCounts, "flights">,
): LoadTimeline {
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
    const listed = service.listTimelines({ requests });
    return requests.map(async (request, index) => {
      const timeline = (await listed).results[index]?.timeline;
      return timeline === undefined ? loadAlone(request) : show(timeline);
    });
  }

  async function loadAlone(request: SocialTimelinesRequest): Promise<PageContent> {
    const { message } = await operation.call(request, {});
    return show(message as SocialTimelinesResponse);
  }

  function show(timeline: SocialTimelinesResponse): PageContent {
    return { bytes: Buffer.from(operation.render(timeline)), state: timeline.freshness };
  }

  return async (request) => {
    if (!isKeptName(request.screenName)) return loadAlone(request);
    const key = `${whichPage(request)}:${request.screenName.toLowerCase()}`;
    wanted.set(key, request);
    const [page] = (await load([key])) as [PageContent];
    return page;
  };
}

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
