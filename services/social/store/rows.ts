import type { MessageInitShape } from "@bufbuild/protobuf";
import type { EntitiesSchema } from "../../../proto/gen/social/v1/entities_pb.ts";
import { type UserSummary, UserSummarySchema } from "../../../proto/gen/social/v1/statuses_pb.ts";
import type { StatusKey } from "../domain/status-key.ts";

/** A row of social.profile as reads select it: a column for each field of UserSummary, and some more. */
export type ProfileRow = {
  [Field in ColumnField as SnakeCase<Field>]-?:
    | NonNullable<UserSummary[Field]>
    | (Record<never, never> extends Pick<UserSummary, Field> ? null : never);
} & {
  user_id: bigint;
  created_at: Date;
  version: bigint;
  content_version: bigint;
  counters_version: bigint;
  /** Whether the operator has suspended the user. */
  suspended: boolean;
};

/** The fields of UserSummary whose column has the name and the type that proto gives them. */
type ColumnField = Exclude<keyof UserSummary, "$typeName" | "$unknown" | "id" | "createdAt" | "notifications">;

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : "";

/** A row of social.status as reads select it, beside a profile, whose created_at it is. */
export interface StatusRow {
  status_id: bigint;
  text: string;
  source: string;
  truncated: boolean;
  status_created_at: Date;
  in_reply_to_status_id: bigint | null;
  in_reply_to_user_id: bigint | null;
  in_reply_to_screen_name: string | null;
  latitude: number | null;
  longitude: number | null;
  entities: StoredEntities;
  retweet_count: number;
  status_lang: string | null;
  /** The author of the original; null unless it is a repost. */
  repost_of_author_id: bigint | null;
  repost_of_id: bigint | null;
  /** Whether it repeats a status of a protected author, so that only readers of that author see it. */
  restricted: boolean;
}

/** The viewer's relation to a user, as reads select it; all false for an anonymous caller. */
export interface ProfileRelation {
  following: boolean;
  follow_request_sent: boolean;
  notifications: boolean;
  /** Whether the user has blocked the viewer. */
  blocks_viewer: boolean;
  /** The viewer's own version, in digits; null for an anonymous caller and for a viewer without a profile. */
  viewer_version: string | null;
  /** The epoch of that version; null with it. */
  viewer_epoch: string | null;
  /** Whether all that depends on the viewer was read in this version; else it is the newest of several. */
  is_one_read: boolean;
}

/** The viewer's marks of a status, as reads select them. */
export interface StatusRelation {
  favorited: boolean;
  retweeted: boolean;
}

/** The jsonb of social.status.entities: the Entities message with ids as text, so that no digit is lost. */
export type StoredEntities = {
  media?: StoredMedia[];
  urls: { url: string; displayUrl: string; expandedUrl: string; indices: number[] }[];
  userMentions: { id: string; name: string; screenName: string; indices: number[] }[];
  hashtags: { text: string; indices: number[] }[];
};

type StoredMedia = Required<
  Pick<
    NonNullable<MessageInitShape<typeof EntitiesSchema>["media"]>[number],
    "mediaUrl" | "mediaUrlHttps" | "url" | "displayUrl" | "expandedUrl" | "type" | "indices"
  >
> & { sizes: Record<string, { w: number; h: number; resize: string }> };

const ownColumns = ["user_id", "created_at", "version", "content_version", "counters_version", "suspended"];
const otherFields = ["id", "created_at", "notifications"];

/** The select list of a ProfileRow, of a relation named `profile`. */
export const profileColumns = [
  ...ownColumns,
  ...UserSummarySchema.fields.map(({ name }) => name).filter((name) => !otherFields.includes(name)),
]
  .map((column) => `profile.${column}`)
  .join(", ");

/** The select list of a StatusRow, of a relation named `status`. */
export const statusColumns = `
  status.id as status_id, status.text, status.source, status.truncated, status.created_at as status_created_at,
  status.in_reply_to_status_id, status.in_reply_to_user_id, status.in_reply_to_screen_name, status.latitude,
  status.longitude, status.entities, status.retweet_count, status.lang as status_lang,
  status.repost_of_author_id, status.repost_of_id, status.restricted`;

/** A status in a timeline of many authors, with its author. */
export type AuthoredRow = StatusKey & ProfileRow & StatusRow;

/** The select list of an AuthoredRow, of relations named `status` and `profile`. */
export const authoredColumns = `status.id, status.author_id as "authorId", ${statusColumns}, ${profileColumns}`;

/**
 * The statuses of these keys ($1 their authors, $2 their ids) with their authors, as relations named `status` and `profile`.
 *
 * Looked up one by one: otherwise Postgres may read all statuses of each author. A cluster cannot do that, and has the authors as a
 * list once more, so that it asks their shards only.
 */
export function keyedStatuses(isCluster: boolean): string {
  const wanted = "unnest($1::bigint[], $2::bigint[]) as wanted (author, status_id)";
  return isCluster
    ? `${wanted} join social.status on status.author_id = author and status.id = status_id
         and status.author_id = any ($1::bigint[])
       join social.profile on profile.user_id = status.author_id and profile.user_id = any ($1::bigint[])`
    : `${wanted} cross join lateral (
         select * from social.status where author_id = author and id = status_id offset 0
       ) as status join social.profile on profile.user_id = author`;
}

/** A user as the viewer sees them. */
export type ShownProfile = ProfileRow & ProfileRelation;

/** A status as the viewer sees it; without a relation for an anonymous caller. */
export type ShownStatus = StatusRow & Partial<StatusRelation>;
