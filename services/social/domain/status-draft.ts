import type { Media } from "../../../proto/gen/social/v1/entities_pb.ts";
import type { PublishStatusRequest } from "../../../proto/gen/social/v1/status_service_pb.ts";
import { type BadField, badField, invalidFields } from "../../platform/errors.ts";
import { holdsNul } from "../../platform/storable.ts";

/** A status to publish that keeps every rule which the request alone decides. */
export interface StatusDraft {
  requestId: string;
  authorId: bigint;
  text: string;
  source: string;
  inReplyTo: { authorId: bigint; id: bigint } | undefined;
  point: { latitude: number; longitude: number } | undefined;
  media: Media[];
}

/** Reads a PublishStatusRequest. Throws InvalidArgument naming every bad field. */
export function parseStatusDraft(request: PublishStatusRequest): StatusDraft {
  const { inReplyTo, point, media } = request;
  const bad = [
    uuid.test(request.requestId)
      ? undefined
      : badField("requestId", "RegularExpression", "'Request Id' must be a UUID."),
    request.authorId > 0n ? undefined : badField("authorId", "NotEmpty", "'Author Id' should not be empty."),
    textFault(request.text),
    point && !isOnEarth(point) ? badField("point", "InclusiveBetween", "'Point' must lie on the globe.") : undefined,
    media.length > 4 ? badField("media", "Length", "'Media' must have at most 4 entries.") : undefined,
    media.every(isCompleteMedium)
      ? undefined
      : badField("media", "NotEmpty", "Each of 'Media' needs an http or https media URL, a type and positive sizes."),
    request.source.length <= 255 && !request.source.includes(nul)
      ? undefined
      : badField("source", "Length", "'Source' must be 255 characters or fewer."),
  ].filter((fault): fault is BadField => fault !== undefined);
  if (bad.length > 0) throw invalidFields(bad);
  return {
    // The same UUID in either case is the same request.
    requestId: request.requestId.toLowerCase(),
    authorId: request.authorId,
    text: request.text,
    source: request.source.trim() === "" ? "Roost" : request.source,
    inReplyTo: inReplyTo && { authorId: inReplyTo.authorId, id: inReplyTo.id },
    point: point && { latitude: point.latitude, longitude: point.longitude },
    media,
  };
}

/** The most code points of a new status. */
export const maxStatusLength = 280;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
// Postgres stores none.
const nul = "\u0000";

function textFault(text: string): BadField | undefined {
  if (text.trim() === "") return badField("text", "NotEmpty", "'Text' should not be empty.");
  if (text.includes(nul)) return badField("text", "RegularExpression", "'Text' is not in the correct format.");
  if ([...text].length > maxStatusLength)
    return badField("text", "Length", `'Text' must be ${maxStatusLength} characters or fewer.`);
  return undefined;
}

function isOnEarth({ latitude, longitude }: { latitude: number; longitude: number }): boolean {
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
}

function isCompleteMedium(medium: Media): boolean {
  const texts = [medium.mediaUrl, medium.mediaUrlHttps, medium.url, medium.displayUrl, medium.expandedUrl, medium.type];
  const sizes = Object.values(medium.sizes);
  return (
    medium.type !== "" &&
    /^https?:\/\//.test(medium.mediaUrlHttps || medium.mediaUrl) &&
    texts.every((text) => text.length <= 2_048 && !text.includes(nul)) &&
    sizes.length <= 10 &&
    sizes.every((size) => size.w > 0 && size.h > 0) &&
    !holdsNul(medium.sizes)
  );
}
