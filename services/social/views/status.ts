import type { Entities, Hashtag, Media, Mention, Size, UrlEntity } from "../../../proto/gen/social/v1/entities_pb.ts";
import type { Status } from "../../../proto/gen/social/v1/statuses_pb.ts";
import { contractDate } from "../../platform/contract-date.ts";
import type { ProfileRelation, ProfileRow, StatusRelation, StatusRow, StoredEntities } from "../store/rows.ts";
import { userSummary } from "./user-summary.ts";

/**
 * A status without its user, as seen by the viewer to whom the row's relation belongs; for an anonymous caller both flags are
 * false. A plain object with all fields: create() would go through every field of every status again.
 */
export function statusView(row: StatusRow & Partial<StatusRelation>): Status {
  const { latitude, longitude } = row;
  const isPlaced = latitude !== null && longitude !== null;
  return {
    $typeName: "social.v1.Status",
    id: row.status_id,
    inReplyToStatusId: row.in_reply_to_status_id ?? undefined,
    retweeted: row.retweeted ?? false,
    truncated: row.truncated,
    createdAt: contractDate(row.status_created_at),
    inReplyToUserId: row.in_reply_to_user_id ?? undefined,
    inReplyToScreenName: row.in_reply_to_screen_name ?? undefined,
    entities: entitiesView(row.entities),
    favorited: row.favorited ?? false,
    source: row.source,
    retweetCount: row.retweet_count,
    text: row.text,
    // The same point twice: `geo` as latitude and longitude, `coordinates` as GeoJSON.
    geo: isPlaced ? point(latitude, longitude) : undefined,
    coordinates: isPlaced ? point(longitude, latitude) : undefined,
  };
}

function point(...coordinates: [number, number]): NonNullable<Status["geo"]> {
  return { $typeName: "social.v1.Geo", type: "Point", coordinates };
}

/** What a text refers to, from the form in which it is stored. */
function entitiesView({ media, urls, userMentions, hashtags }: StoredEntities): Entities {
  return {
    $typeName: "social.v1.Entities",
    media: media === undefined ? [] : media.map(mediumView),
    urls: urls.map(linkView),
    userMentions: userMentions.map(mentionView),
    hashtags: hashtags.map(hashtagView),
  };
}

type StoredMedium = NonNullable<StoredEntities["media"]>[number];

function mediumView(medium: StoredMedium): Media {
  const { mediaUrl, mediaUrlHttps, url, displayUrl, expandedUrl, type, indices } = medium;
  const sizes: Record<string, Size> = {};
  for (const [name, { w, h, resize }] of Object.entries(medium.sizes)) {
    sizes[name] = { $typeName: "social.v1.Size", w, h, resize };
  }
  return {
    $typeName: "social.v1.Media",
    mediaUrl,
    mediaUrlHttps,
    url,
    displayUrl,
    expandedUrl,
    sizes,
    type,
    indices,
  };
}

function linkView({ url, displayUrl, expandedUrl, indices }: StoredEntities["urls"][number]): UrlEntity {
  return { $typeName: "social.v1.UrlEntity", url, displayUrl, expandedUrl, indices };
}

function mentionView({ id, name, screenName, indices }: StoredEntities["userMentions"][number]): Mention {
  return { $typeName: "social.v1.Mention", id: BigInt(id), idStr: id, name, screenName, indices };
}

function hashtagView({ text, indices }: StoredEntities["hashtags"][number]): Hashtag {
  return { $typeName: "social.v1.Hashtag", text, indices };
}

/** A status by itself, with its author; `relation` is the viewer's to the author, undefined for an anonymous caller. */
export function statusWithUser(
  row: ProfileRow & StatusRow & Partial<StatusRelation>,
  relation?: Pick<ProfileRelation, "notifications">,
): Status {
  return { ...statusView(row), user: userSummary(row, relation) };
}
