import type { StoredEntities } from "../store/rows.ts";
import { contentDigest } from "./digest.ts";
import type { StatusToImport } from "./imported-status.ts";

/** Maps the ids of an origin to ids of this system; undefined when they are not known. */
export interface OriginIds {
  user(originId: string): bigint | undefined;
  status(authorId: bigint, originId: string): bigint | undefined;
}

/** The content of an imported status, as it is stored. */
export interface ImportedContent {
  columns: ContentColumns;
  /** In hex, of the columns, so that a second import of the same content finds it unchanged. */
  digest: string;
}

/** The columns that an import fills. */
export interface ContentColumns {
  created_at: string;
  entities: StoredEntities;
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
 */
export function importedContent(
  status: StatusToImport,
  known: OriginIds,
  original?: { authorId: bigint; id: bigint },
): ImportedContent {
  const { inReplyTo, point, retweetCount, source, text, truncated } = status;
  const userMentions = status.entities.userMentions.map((mention) => ({
    ...mention,
    id: (known.user(mention.id) ?? 0n).toString(),
  }));
  const userId = known.user(inReplyTo.userOriginId);
  const statusId = userId === undefined ? undefined : known.status(userId, inReplyTo.statusOriginId);
  const columns = {
    created_at: status.createdAt.toISOString(),
    entities: { ...status.entities, userMentions },
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
  return { columns, digest: contentDigest(columns).toString("hex") };
}
