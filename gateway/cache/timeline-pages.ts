import type { Message } from "@bufbuild/protobuf";
import type { SocialTimelinesRequest, SocialTimelinesResponse } from "../../proto/gen/social/v1/social_service_pb.ts";
import type { Operation } from "../operations.ts";
import type { Ask } from "./flights.ts";
import type { FreshnessToken } from "./freshness-tokens.ts";
import type { KeptRead } from "./kept-read.ts";
import { isKeptName } from "./name-key.ts";
import type { PageStore } from "./page-store.ts";
import { unkeptRead } from "./unkept-read.ts";

/** SocialTimelines, each from its service. */
export function unkeptTimelines(operation: Operation): KeptRead {
  return unkeptRead(operation, stateOf);
}

/**
 * SocialTimelines from kept pages. The answer comes with the token of the very state that it shows, so a page that was
 * rendered while its author wrote is kept as what it is. What the service refuses is not kept.
 */
export function keptTimelines(operation: Operation, tokensOf: Ask<FreshnessToken>, pages: PageStore): KeptRead {
  const unkept = unkeptTimelines(operation);
  return (input) => {
    const { screenName, take, sinceId, maxId } = input as SocialTimelinesRequest;
    if (!isKeptName(screenName)) return unkept(input);
    const nameKey = screenName.toLowerCase();
    const thing = `timeline:${take ?? ""}:${sinceId ?? ""}:${maxId ?? ""}`;
    const load = async () => {
      const { message } = await operation.call(input, {});
      return { text: operation.render(message), state: stateOf(message) };
    };
    return async (encoding) => {
      const [token] = (await tokensOf([nameKey])) as [FreshnessToken];
      return pages.get(thing, token, encoding, load);
    };
  };
}

function stateOf(message: Message): FreshnessToken {
  return (message as SocialTimelinesResponse).freshness;
}
