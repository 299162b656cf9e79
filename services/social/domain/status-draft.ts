import type { Media } from "../../../proto/gen/social/v1/entities_pb.ts";
import type { PublishStatusRequest } from "../../../proto/gen/social/v1/status_service_pb.ts";
import { badField, refuseFields } from "../../platform/errors.ts";
import { isLongerThan } from "../../platform/rules/code-points.ts";
import { isBlank } from "../../platform/rules/field-rules.ts";
import { isUrl } from "../../platform/rules/link.ts";
import { requestIdFault } from "../../platform/rules/request-id.ts";
import { holdsNul } from "../../platform/storable.ts";
import { isLanguageTag } from "./language-tag.ts";
import { statusTextFault } from "./status-text.ts";

/** A status to publish that breaks no rule which can be checked without the database. */
export interface StatusDraft {
  authorId: bigint;
  text: string;
  source: string;
  /** A BCP 47 tag; null when the author does not say. */
  lang: string | null;
  inReplyTo: { authorId: bigint; id: bigint } | undefined;
  point: { latitude: number; longitude: number } | undefined;
  media: Media[];
}

/**
 * Reads a PublishStatusRequest.
 * @param maxWeight how many weighted characters the text may have
 * @throws InvalidArgument naming every bad field
 */
export function parseStatusDraft(request: PublishStatusRequest, maxWeight: number): StatusDraft {
  const { inReplyTo, point, media } = request;
  refuseFields([
    requestIdFault(request.requestId),
    statusTextFault(request.text, maxWeight),
    point && !isOnEarth(point) ? badField("point", "InclusiveBetween", "'Point' must lie on the globe.") : undefined,
    media.length > 4 ? badField("media", "Length", "'Media' must have at most 4 entries.") : undefined,
    media.every(isCompleteMedium)
      ? undefined
      : badField("media", "NotEmpty", "Each of 'Media' needs an http or https media URL, a type and positive sizes."),
    !isLongerThan(request.source, 255) && !holdsNul(request.source)
      ? undefined
      : badField("source", "Length", "'Source' must be 255 characters or fewer."),
    request.lang === "" || isLanguageTag(request.lang)
      ? undefined
      : badField("lang", "RegularExpression", "'Lang' is not a language tag."),
  ]);
  return {
    authorId: request.authorId,
    text: request.text,
    source: isBlank(request.source) ? "Roost" : request.source,
    lang: request.lang || null,
    inReplyTo: inReplyTo && { authorId: inReplyTo.authorId, id: inReplyTo.id },
    point: point && { latitude: point.latitude, longitude: point.longitude },
    media,
  };
}

function isOnEarth({ latitude, longitude }: { latitude: number; longitude: number }): boolean {
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
}

function isCompleteMedium(medium: Media): boolean {
  const { mediaUrl, mediaUrlHttps, url, expandedUrl, displayUrl, type } = medium;
  const urls = [mediaUrl, mediaUrlHttps, url, expandedUrl].filter((text) => text !== "");
  const sizes = Object.values(medium.sizes);
  return (
    type !== "" &&
    (mediaUrl || mediaUrlHttps) !== "" &&
    urls.every(isUrl) &&
    [displayUrl, type].every((text) => !isLongerThan(text, 2_048) && !holdsNul(text)) &&
    sizes.length <= 10 &&
    sizes.every((size) => size.w > 0 && size.h > 0) &&
    !holdsNul(medium.sizes)
  );
}
