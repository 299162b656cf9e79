/** A user, with the fields of Twitter API v1.1 that Roost has a place for. */
export type V11User = {
  id_str: string;
  name: string;
  screen_name: string;
  location: string;
  description: string;
  url: string | null;
  protected: boolean;
  followers_count: number;
  friends_count: number;
  favourites_count: number;
  statuses_count: number;
  created_at: string;
  utc_offset: number | null;
  time_zone: string | null;
  geo_enabled: boolean;
  verified: boolean;
  contributors_enabled: boolean;
  lang: string;
  profile_image_url: string;
  profile_background_image_url: string;
  profile_background_tile: boolean;
  profile_use_background_image: boolean;
  profile_background_color: string;
  profile_link_color: string;
  profile_sidebar_border_color: string;
  profile_sidebar_fill_color: string;
  profile_text_color: string;
};

/** A status, with the fields of Twitter API v1.1 that Roost has a place for. */
export type V11Status = {
  id_str: string;
  created_at: string;
  text: string;
  source: string;
  truncated: boolean;
  in_reply_to_status_id_str: string | null;
  in_reply_to_user_id_str: string | null;
  in_reply_to_screen_name: string | null;
  user: V11User;
  /** Latitude, longitude. */
  geo: V11Point | null;
  /** Longitude, latitude. */
  coordinates: V11Point | null;
  retweet_count: number;
  favorited: boolean;
  retweeted: boolean;
  entities: V11Entities;
  retweeted_status?: V11Status;
};

/** A pair of numbers; which comes first depends on the field. */
export type V11Point = { type: "Point"; coordinates: [number, number] };

/** What stands in a text, and where: half-open pairs of positions, counted in code points. */
export type V11Entities = {
  hashtags: { text: string; indices: Indices }[];
  urls: V11Link[];
  user_mentions: { screen_name: string; name: string; id_str: string; indices: Indices }[];
  media?: V11Media[];
};

/** A short address in the text, and what it stands for. */
export type V11Link = { url: string; display_url: string; expanded_url: string; indices: Indices };

/** A picture, which stands in the text as a short address. */
export type V11Media = V11Link & {
  type: "photo";
  media_url: string;
  media_url_https: string;
  sizes: Record<"thumb" | "small" | "medium" | "large", V11Size>;
};

/** Pixels, and whether the picture was cut or fitted to them. */
export type V11Size = { w: number; h: number; resize: "crop" | "fit" };

type Indices = [start: number, end: number];
