import type { Entities, Media } from "../../../proto/gen/social/v1/entities_pb.ts";
import type { ImportedStatus } from "../../../proto/gen/social/v1/import_service_pb.ts";
import type { Status } from "../../../proto/gen/social/v1/statuses_pb.ts";
import { parseCreatedAt } from "../../platform/contract-date.ts";
import { maxImportedBytes } from "../../platform/max-entries.ts";
import { idEpoch, isId, isOriginId } from "../../platform/rules/ids.ts";
import { holdsNul } from "../../platform/storable.ts";
import type { StoredEntities } from "../store/rows.ts";

/** An imported status. Ids in it are still those of its origin. */
export interface StatusToImport {
  authorId: bigint;
  originId: string;
  createdAt: Date;
  text: string;
  source: string;
  truncated: boolean;
  retweetCount: number;
  point: { latitude: number; longitude: number } | undefined;
  entities: StoredEntities;
  inReplyTo: { statusOriginId: string; userOriginId: string; screenName: string | undefined };
  repostOf: { statusOriginId: string; userOriginId: string } | undefined;
}

/** Reads an imported status, or says why it cannot be stored. */
export function parseImportedStatus(item: ImportedStatus): StatusToImport | string {
  const { status } = item;
  if (!isId(item.authorId) || !isOriginId(item.originId) || status === undefined) {
    return "it has no author, no usable original id or no status";
  }
  const createdAt = parseCreatedAt(status.createdAt);
  if (createdAt === undefined || createdAt.getTime() < idEpoch || createdAt.getTime() > Date.now()) {
    return "created_at does not lie between 2006 and now";
  }
  if (status.retweetCount < 0) return "retweet_count is negative";
  const point = parsePoint(status);
  if (point === "bad") return "coordinates are not a point on the globe";
  const parsed = {
    authorId: item.authorId,
    originId: item.originId,
    createdAt,
    text: status.text,
    source: status.source,
    truncated: status.truncated,
    retweetCount: status.retweetCount,
    point,
    entities: storedEntities(status.entities),
    inReplyTo: {
      statusOriginId: item.inReplyToStatusOriginId,
      userOriginId: item.inReplyToUserOriginId,
      screenName: status.inReplyToScreenName,
    },
    repostOf: item.repostOfStatusOriginId === "" ? undefined : repostOf(item),
  };
  if (holdsNul(parsed)) return "it holds a NUL character";
  if (!entityIndices(parsed.entities).every(isPair)) return "indices of an entity are not a pair";
  if (!isStorable(parsed)) return `it takes more than ${maxImportedBytes / 1_024} KiB`;
  return parsed;
}

function repostOf({ repostOfStatusOriginId, repostOfUserOriginId }: ImportedStatus) {
  return { statusOriginId: repostOfStatusOriginId, userOriginId: repostOfUserOriginId };
}

function entityIndices({ hashtags, media = [], urls, userMentions }: StoredEntities): (readonly number[])[] {
  return [...hashtags, ...media, ...urls, ...userMentions].map(({ indices }) => indices);
}

function isPair(indices: readonly number[]): boolean {
  const [start = -1, end = -1] = indices;
  return indices.length === 2 && 0 <= start && start <= end;
}

function isStorable({ text, source, entities, inReplyTo }: StatusToImport): boolean {
  return Buffer.byteLength(JSON.stringify([text, source, entities, inReplyTo])) <= maxImportedBytes;
}

function parsePoint({ coordinates }: Status): StatusToImport["point"] | "bad" {
  if (coordinates === undefined) return undefined;
  const [longitude, latitude, ...rest] = coordinates.coordinates;
  if (longitude === undefined || latitude === undefined || rest.length > 0) return "bad";
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : "bad";
}

function storedEntities(entities: Entities | undefined): StoredEntities {
  const { media = [], urls = [], userMentions = [], hashtags = [] } = entities ?? {};
  return {
    ...(media.length > 0 && { media: media.map(storedMedium) }),
    urls: urls.map(({ url, displayUrl, expandedUrl, indices }) => ({ url, displayUrl, expandedUrl, indices })),
    userMentions: userMentions.map(({ idStr, name, screenName, indices }) => ({
      id: idStr,
      name,
      screenName,
      indices,
    })),
    hashtags: hashtags.map(({ text, indices }) => ({ text, indices })),
  };
}

function storedMedium({ mediaUrl, mediaUrlHttps, url, displayUrl, expandedUrl, type, indices, sizes }: Media) {
  const entries = Object.entries(sizes).map(([name, { w, h, resize }]) => [name, { w, h, resize }]);
  const plainSizes = Object.fromEntries(entries);
  return { mediaUrl, mediaUrlHttps, url, displayUrl, expandedUrl, type, sizes: plainSizes, indices };
}
