import {
  type SocialTimelinesRequest,
  SocialTimelinesRequestSchema,
} from "../../../proto/gen/social/v1/social_service_pb.ts";
import { refuseFields } from "../../platform/errors.ts";
import { compileSize } from "../../platform/rules/field-rules.ts";
import { compileRules } from "../../platform/rules/request-rules.ts";

/** Which statuses of a timeline to list: at most `take` of those with sinceId < id <= maxId, newest first. */
export interface TimelinePage {
  /** 1 to 200. */
  take: number;
  /** 0: from the first status on. */
  sinceId: bigint;
  maxId: bigint;
}

/** The largest id there is: what JavaScript reads exactly. */
export const largestId = 2n ** 53n - 1n;

/** Reads the paging fields (contract §8): 100 when take is left out; more than 200 is reduced to 200. @throws InvalidArgument */
export function parseTimelinePage(request: SocialTimelinesRequest): TimelinePage {
  refuseFields(checkRules(request));
  const { take, sinceId = 0n, maxId = largestId } = request;
  return { take: sizeOf(take), sinceId, maxId };
}

const checkRules = compileRules(SocialTimelinesRequestSchema);
const sizeOf = compileSize(SocialTimelinesRequestSchema.field.take);
