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
export function unkeptTimelines(load: LoadTimeline): CachedRead {
  return (input) => async (_encoding, deadline) => plainPage(await load(input as SocialTimelinesRequest, deadline));
}

/**
 * SocialTimelines from kept pages. The answer comes with the token of the very state that it shows, so a page that was
 * rendered while its author wrote is kept as what it is. What the service refuses is not kept.
 */
export function keptTimelines(
  load: LoadTimeline,
  tokensOf: Ask<FreshnessToken>,
  pages: PageStore,
  noteSeen: NoteSeen,
): CachedRead {
  const unkept = unkeptTimelines(load);
  return (input) => {
    const request = input as SocialTimelinesRequest;
    if (!isScreenName(request.screenName)) return unkept(input);
    const nameKey = request.screenName.toLowerCase();
    // A reader of their own polls with an id of their own; what very many poll with comes twice.
    const isUsual = request.sinceId === undefined && request.maxId === undefined;
    const pageOf = pages.of(`timeline:${whichPage(request)}`, isUsual);
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
