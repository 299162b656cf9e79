// A simple implementation as a reference: one process, Fastify, pg, JSON.stringify, no cache. Its queries and its JSON are those of
// the system. Run with the URL of the database.
// biome-ignore-all lint/suspicious/noExplicitAny: rows as pg gives them, the way a quick service would take them.
import Fastify from "fastify";
import pg from "pg";
import { serveBaseline } from "./baseline.ts";

type Row = any;

const profile = `
  profile.user_id, profile.screen_name, profile.name, profile.location, profile.url, profile.description, profile.lang,
  profile.time_zone, profile.utc_offset, profile.protected, profile.verified, profile.geo_enabled,
  profile.contributors_enabled, profile.followers_count, profile.friends_count, profile.favourites_count,
  profile.statuses_count, profile.profile_image_url, profile.profile_background_image_url,
  profile.profile_background_color, profile.profile_sidebar_border_color, profile.profile_sidebar_fill_color,
  profile.profile_link_color, profile.profile_text_color, profile.profile_background_tile,
  profile.profile_use_background_image, profile.created_at`;

const status = `
  status.id as status_id, status.text, status.source, status.truncated, status.created_at as status_created_at,
  status.in_reply_to_status_id, status.in_reply_to_user_id, status.in_reply_to_screen_name, status.latitude,
  status.longitude, status.entities, status.retweet_count`;

/** A page with its author on the first row: name, sinceId, maxId, take. */
const timelineSql = `
  with author as materialized (
    select 1::bigint as place, profile.*
    from social.screen_name join social.profile using (user_id)
    where name_key = lower($1)
  ), page as (
    select row_number() over (order by newest.id desc) as place, newest.*
    from author, lateral (
      select * from social.status
      where author_id = author.user_id and id > $2 and id <= $3
      order by id desc limit $4
    ) as newest
  )
  select ${profile}, ${status}
  from author as profile full join page as status using (place)
  order by status.id desc`;

/** Profiles by name in lower case, each with its newest status. */
const profilesSql = `
  select ${profile}, ${status}
  from social.profile
  left join social.status on status.author_id = profile.user_id and status.id = profile.last_status_id
  where profile.user_id = any (array(select user_id from social.screen_name where name_key = any ($1::text[])))`;

const pool = new pg.Pool({ connectionString: process.argv[2], max: 10 });
pool.on("error", () => {});
const app = Fastify({ routerOptions: { maxParamLength: 48 * 1024 } });

app.get<{ Params: { name: string }; Querystring: { take?: string; sinceId?: string; maxId?: string } }>(
  "/social/:name/timelines",
  async ({ params, query }, reply) => {
    const { take = "100", sinceId = "0", maxId = `${Number.MAX_SAFE_INTEGER}` } = query;
    const page = [params.name, sinceId, maxId, Math.min(Number(take), 200)];
    const { rows } = await pool.query({ name: "timeline", text: timelineSql, values: page });
    if (rows.length === 0) return reply.code(404).send({});
    const user = profileJson(rows[0]);
    const statuses = rows[0].status_id === null ? [] : rows;
    return reply
      .header("content-type", "application/json")
      .send(JSON.stringify({ results: statuses.map((row) => statusJson(row, user)) }));
  },
);

app.get<{ Params: { names: string } }>("/social/:names", async ({ params }, reply) => {
  const names = params.names.split(",").map((name) => name.toLowerCase());
  const { rows } = await pool.query({ name: "profiles", text: profilesSql, values: [names] });
  const byName = new Map(rows.map((row) => [row.screen_name.toLowerCase(), row]));
  const found = [...new Set(names)].flatMap((name) => byName.get(name) ?? []);
  const results = found.map((row) => ({
    ...profileJson(row),
    status: row.status_id === null ? undefined : statusJson(row, undefined),
  }));
  return reply.header("content-type", "application/json").send(JSON.stringify({ results }));
});

await app.ready();
serveBaseline(app.server);

/** A row as a user of the public JSON. */
function profileJson(row: Row) {
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
function statusJson(row: Row, user: unknown) {
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
