import { hash } from "node:crypto";
import type { StatusToImport } from "./imported-status.ts";

/** Maps the ids of an origin to ids of this system; undefined when they are not known. */
export interface OriginIds {
  user(originId: string): bigint | undefined;
  status(authorId: bigint, originId: string): bigint | undefined;
}

/** The content of an imported status, as it is stored. */
export interface ImportedContent {
  columns: ContentColumns;
  /** The users whom it mentions. */
  userMentions: { id: string }[];
  /** In hex, of the columns' JSON, so that a second import of the same content finds it unchanged. */
  digest: string;
}

/** The columns that an import fills; entities are JSON. */
export interface ContentColumns {
  created_at: string;
  entities: string;
  in_reply_to_screen_name: string | null;
  in_reply_to_status_id: string | null;
  in_reply_to_user_id: string | null;
  latitude: number | null;
  longitude: number | null;
  /** The original of a repost; undefined for other statuses, whose digest does not have it. */
  repost_of_author_id: string | undefined;
  repost_of_id: string | undefined;
  retweet_count: number;
  source: string;
  text: string;
  truncated: boolean;
}

/**
 * The content of a status with the ids of this system. What is unknown here loses its id: a reply keeps the screen name, a mention
 * its place in the text, under id 0.
 *
 * The digest is that of `digest.ts`, which sorts keys. Here they are written in alphabetical order already, so the JSON is hashed as it
 * is: sorting would take three times as long as the rest.
 */
export function importedContent(
  status: StatusToImport,
  known: OriginIds,
  original?: { authorId: bigint; id: bigint },
): ImportedContent {
  const { inReplyTo, point, retweetCount, source, text, truncated } = status;
  const { hashtags, media, urls } = status.entities;
  const userMentions = status.entities.userMentions.map(({ id, indices, name, screenName }) => ({
    id: (known.user(id) ?? 0n).toString(),
    indices,
    name,
    screenName,
  }));
  const userId = known.user(inReplyTo.userOriginId);
  const statusId = userId === undefined ? undefined : known.status(userId, inReplyTo.statusOriginId);
  const columns = {
    created_at: status.createdAt.toISOString(),
    entities: JSON.stringify({ hashtags, media, urls, userMentions }),
    in_reply_to_screen_name: inReplyTo.screenName ?? null,
    in_reply_to_status_id: statusId?.toString() ?? null,
    in_reply_to_user_id: userId?.toString() ?? null,
    latitude: point?.latitude ?? null,
    longitude: point?.longitude ?? null,
    repost_of_author_id: original?.authorId.toString(),
    repost_of_id: original?.id.toString(),
    retweet_count: retweetCount,
    source,
    text,
    truncated,
  };
  return { columns, userMentions, digest: hash("sha256", contentJson(columns)) };
}

/** The columns as JSON, in their order. */
export function contentJson(columns: ContentColumns): string {
  const others = JSON.stringify({ ...columns, created_at: undefined, entities: undefined });
  return `{"created_at":"${columns.created_at}","entities":${columns.entities},${others.slice(1)}`;
}
