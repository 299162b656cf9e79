import type { Entities, Media } from "../../proto/gen/social/v1/entities_pb.ts";
import type { Status } from "../../proto/gen/social/v1/statuses_pb.ts";

/** A status as Twitter API v1.1 writes it; ids are at most 2^53-1 and so exact as numbers. `user` comes from userJson. */
export function statusJson(status: Status, user: object): object {
  return {
    created_at: status.createdAt,
    ...idFields("id", status.id),
    text: status.text,
    source: status.source,
    truncated: status.truncated,
    ...idFields("in_reply_to_status_id", status.inReplyToStatusId),
    ...idFields("in_reply_to_user_id", status.inReplyToUserId),
    in_reply_to_screen_name: status.inReplyToScreenName ?? null,
    user,
    geo: point(status.geo),
    coordinates: point(status.coordinates),
    retweet_count: status.retweetCount,
    entities: entitiesJson(status.entities),
    favorited: status.favorited,
    retweeted: status.retweeted,
  };
}

/** An id under both of its names; null when there is none. */
export function idFields(name: string, id: bigint | undefined): object {
  return { [name]: id === undefined ? null : Number(id), [`${name}_str`]: id?.toString() ?? null };
}

function point(geo: Status["geo"]): object | null {
  return geo ? { type: geo.type, coordinates: geo.coordinates } : null;
}

function entitiesJson(entities: Entities | undefined): object {
  const { hashtags = [], urls = [], userMentions = [], media = [] } = entities ?? {};
  return {
    hashtags: hashtags.map(({ text, indices }) => ({ text, indices })),
    symbols: [],
    urls: urls.map(linkJson),
    user_mentions: userMentions.map(({ id, name, screenName, indices }) => ({
      screen_name: screenName,
      name,
      ...idFields("id", id),
      indices,
    })),
    ...(media.length > 0 && { media: media.map(mediaJson) }),
  };
}

function mediaJson(media: Media): object {
  const sizes = Object.entries(media.sizes).map(([name, { w, h, resize }]) => [name, { w, h, resize }]);
  const { mediaUrl, mediaUrlHttps, type } = media;
  return {
    ...linkJson(media),
    media_url: mediaUrl,
    media_url_https: mediaUrlHttps,
    type,
    sizes: Object.fromEntries(sizes),
  };
}

function linkJson({
  url,
  expandedUrl,
  displayUrl,
  indices,
}: Pick<Media, "url" | "expandedUrl" | "displayUrl" | "indices">) {
  return { url, expanded_url: expandedUrl, display_url: displayUrl, indices };
}
