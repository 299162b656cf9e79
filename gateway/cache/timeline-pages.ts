import type { SocialTimelinesRequest } from "../../proto/gen/social/v1/social_service_pb.ts";
import { isScreenName } from "../../services/platform/rules/screen-name.ts";
import { plainPage } from "../http/replies/page.ts";
import type { Ask } from "./batcher.ts";
import type { CachedRead } from "./cached-read.ts";
import type { FreshnessToken } from "./freshness-tokens.ts";
import type { PageStore } from "./page-store.ts";
import type { NoteSeen } from "./seen-states.ts";
import { type LoadTimeline, whichPage } from "./timeline-loader.ts";

/** SocialTimelines, each from its service. */
export function uncachedTimelines(load: LoadTimeline): CachedRead {
  return (input) => async (_encoding, deadline) => plainPage(await load(input as SocialTimelinesRequest, deadline));
}

/**
 * SocialTimelines from cached pages. The service's answer has the token of the state that it shows, so a page that was
 * rendered while its author wrote is cached under its own state. Refusals are not cached.
 */
export function cachedTimelines(
  load: LoadTimeline,
  tokensOf: Ask<FreshnessToken>,
  pages: PageStore,
  noteSeen: NoteSeen,
): CachedRead {
  const uncached = uncachedTimelines(load);
  return (input) => {
    const request = input as SocialTimelinesRequest;
    if (!isScreenName(request.screenName)) return uncached(input);
    const nameKey = request.screenName.toLowerCase();
    // Pages after or before an id are mostly asked for by one client; those of many clients are asked for twice and shared then.
    const isCommon = request.sinceId === undefined && request.maxId === undefined;
    const pageOf = pages.of(`timeline:${whichPage(request)}`, isCommon);
    return async (encoding, deadline) => {
      const [token] = (await tokensOf([nameKey], deadline)) as [FreshnessToken];
      return pageOf(token, encoding, async () => {
        const page = await load(request, deadline);
        if (page.state !== token) await noteSeen([{ nameKey, token: page.state }], deadline);
        return page;
      });
    };
  };
}
