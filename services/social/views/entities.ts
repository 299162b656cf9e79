import type { Entities, Hashtag, Media, Mention, Size, UrlEntity } from "../../../proto/gen/social/v1/entities_pb.ts";
import type { StoredEntities } from "../store/rows.ts";

/** What a text refers to, from the form in which it is stored. */
export function entitiesView({ media, urls, userMentions, hashtags }: StoredEntities): Entities {
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
