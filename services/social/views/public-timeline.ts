import {
  ListedTimelineSchema,
  ListTimelinesResponseSchema,
  SocialTimelinesResponseSchema,
} from "../../../proto/gen/social/v1/social_service_pb.ts";
import type { SentField } from "../store/sent-fields.ts";
import type { PublicTimeline } from "../store/statuses/load-public-timeline.ts";
import { compileSent, wire } from "./sent-message.ts";
import { versionOf } from "./version.ts";

/** Compiles the view of a page for anonymous callers: SocialTimelinesResponse, encoded. */
export function compilePublicTimeline(
  summaryFields: readonly SentField[],
  statusFields: readonly SentField[],
): (timeline: PublicTimeline) => Uint8Array {
  const [writeSummary, writeStatus] = [compileSent(summaryFields), compileSent(statusFields)];
  const { results, author, version } = SocialTimelinesResponseSchema.field;
  return (timeline) => {
    const { statuses, summary } = timeline;
    wire.clear();
    for (let at = 0; at < (statuses?.length ?? 0); ) {
      const start = wire.begin(results.number);
      at = writeStatus(statuses as Buffer, at);
      wire.end(start);
    }
    const start = wire.begin(author.number);
    writeSummary(summary, 0);
    wire.end(start);
    wire.text(version.number, versionOf(timeline));
    return wire.take();
  };
}

/** Several pages, undefined where anonymous callers may not see one: ListTimelinesResponse, encoded. */
export function listedTimelines(timelines: readonly (Uint8Array | undefined)[]): Uint8Array {
  const { results } = ListTimelinesResponseSchema.field;
  wire.clear();
  for (const timeline of timelines) {
    const start = wire.begin(results.number);
    if (timeline !== undefined) wire.bytes(ListedTimelineSchema.field.timeline.number, timeline);
    wire.end(start);
  }
  return wire.take();
}
