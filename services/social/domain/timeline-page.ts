import type { SocialTimelinesRequest } from "../../../proto/gen/social/v1/social_service_pb.ts";
import { type BadField, badField, invalidFields } from "../../platform/errors.ts";

/** Which statuses of a timeline are asked for: at most `take` of those with sinceId < id <= maxId, newest first. */
export interface TimelinePage {
  /** 1 to 200. */
  take: number;
  /** 0: from the beginning. */
  sinceId: bigint;
  maxId: bigint;
}

/** The largest id there is: what JavaScript reads exactly. */
export const largestId = 2n ** 53n - 1n;

/** Reads the paging fields (contract §8): 100 when take is left out, more than 200 is cut. Throws InvalidArgument. */
export function parseTimelinePage(request: SocialTimelinesRequest): TimelinePage {
  const { take = 100n, sinceId = 0n, maxId = largestId } = request;
  const bad: BadField[] = [];
  if (request.screenName.trim() === "")
    bad.push(badField("screenName", "NotEmpty", "'Screen Name' should not be empty."));
  if (take < 1n) bad.push(badField("take", "InclusiveBetween", "'Take' must be between 1 and 200."));
  if (!isId(sinceId))
    bad.push(badField("sinceId", "InclusiveBetween", `'Since Id' must be between 0 and ${largestId}.`));
  if (!isId(maxId)) bad.push(badField("maxId", "InclusiveBetween", `'Max Id' must be between 0 and ${largestId}.`));
  if (bad.length > 0) throw invalidFields(bad);
  return { take: Number(take < 200n ? take : 200n), sinceId, maxId };
}

function isId(id: bigint): boolean {
  return id >= 0n && id <= largestId;
}
