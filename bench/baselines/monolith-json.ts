// biome-ignore-all lint/suspicious/noExplicitAny: rows as pg gives them, the way a quick service would take them.
type Row = any;

/** A row as a user of the public JSON. */
export function profileJson(row: Row) {
  return {
    name: row.name,
    profile_sidebar_border_color: row.profile_sidebar_border_color,
    profile_background_tile: String(row.profile_background_tile),
    profile_sidebar_fill_color: row.profile_sidebar_fill_color,
    created_at: dateText(row.created_at),
    profile_image_url: row.profile_image_url,
    profile_link_color: row.profile_link_color,
    location: row.location,
    url: row.url ?? undefined,
    favourites_count: row.favourites_count,
    contributors_enabled: row.contributors_enabled,
    utc_offset: row.utc_offset === null ? undefined : String(row.utc_offset),
    id: row.user_id,
    profile_use_background_image: String(row.profile_use_background_image),
    profile_text_color: row.profile_text_color,
    protected: row.protected,
    followers_count: row.followers_count,
    lang: row.lang,
    verified: row.verified,
    profile_background_color: row.profile_background_color,
    geo_enabled: row.geo_enabled,
    description: row.description,
    time_zone: row.time_zone ?? undefined,
    friends_count: row.friends_count,
    statuses_count: row.statuses_count,
    profile_background_image_url: row.profile_background_image_url,
    screen_name: row.screen_name,
  };
}

/** A row as a status of the public JSON. */
export function statusJson(row: Row, user: unknown) {
  const hasPoint = row.latitude !== null;
  return {
    id: Number(row.status_id),
    in_reply_to_status_id: numberOrNothing(row.in_reply_to_status_id),
    retweeted: false,
    truncated: row.truncated,
    created_at: dateText(row.status_created_at),
    in_reply_to_user_id: numberOrNothing(row.in_reply_to_user_id),
    in_reply_to_screen_name: row.in_reply_to_screen_name ?? undefined,
    user,
    entities: entitiesJson(row.entities),
    favorited: false,
    source: row.source,
    retweet_count: String(row.retweet_count),
    text: row.text,
    geo: hasPoint ? { type: "Point", coordinates: [row.latitude, row.longitude] } : undefined,
    coordinates: hasPoint ? { type: "Point", coordinates: [row.longitude, row.latitude] } : undefined,
  };
}

function entitiesJson({ media, urls, userMentions, hashtags }: Row) {
  return {
    media: media?.map((medium: Row) => ({
      media_url: medium.mediaUrl,
      media_url_https: medium.mediaUrlHttps,
      url: medium.url,
      display_url: medium.displayUrl,
      expanded_url: medium.expandedUrl,
      sizes: medium.sizes,
      type: medium.type,
      indices: medium.indices,
    })),
    urls: urls.map((link: Row) => ({
      url: link.url,
      display_url: link.displayUrl,
      expanded_url: link.expandedUrl,
      indices: link.indices,
    })),
    user_mentions: userMentions.map((mention: Row) => ({
      id: Number(mention.id),
      id_str: mention.id,
      name: mention.name,
      screen_name: mention.screenName,
      indices: mention.indices,
    })),
    hashtags: hashtags.map((tag: Row) => ({ text: tag.text, indicies: tag.indices })),
  };
}

function numberOrNothing(value: string | null) {
  return value === null ? undefined : Number(value);
}

function dateText(date: Date): string {
  const text = date.toUTCString();
  return `${text.slice(0, 3)} ${text.slice(8, 11)} ${text.slice(5, 7)} ${text.slice(17, 25)} +0000 ${text.slice(12, 16)}`;
}
