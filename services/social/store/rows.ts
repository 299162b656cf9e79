import type { MessageInitShape } from "@bufbuild/protobuf";
import type { EntitiesSchema } from "../../../proto/gen/social/v1/entities_pb.ts";
import { type UserSummary, UserSummarySchema } from "../../../proto/gen/social/v1/statuses_pb.ts";

/** A row of social.profile as the reads select it: a column for each field of UserSummary, and columns of its own. */
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
  /** Whether the operator keeps the user from being seen. */
  suspended: boolean;
};

/** The fields of UserSummary whose column has the name and the type that proto gives them. */
type ColumnField = Exclude<keyof UserSummary, "$typeName" | "$unknown" | "id" | "createdAt" | "notifications">;

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : "";

/** A row of social.status as the reads select it, beside a profile: created_at is that of the profile. */
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
}

/** The viewer's relation to a user, as the reads select it; all false for an anonymous caller. */
export interface ProfileRelation {
  following: boolean;
  follow_request_sent: boolean;
  notifications: boolean;
  /** Whether the user has blocked the viewer. */
  blocks_viewer: boolean;
  /** The viewer's own version, in digits; null for an anonymous caller and for a viewer without a profile. */
  viewer_version: string | null;
}

/** What a viewer did with a status, as the reads select it. */
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
  status.longitude, status.entities, status.retweet_count, status.lang as status_lang`;

/** A user as the viewer sees them. */
export type ShownProfile = ProfileRow & ProfileRelation;

/** The select list of a ShownProfile, for the viewer in this parameter, which may be null: then no relation is looked up. */
export function shownProfile(viewer: `$${number}`): string {
  const known = ifKnown(viewer);
  return `${profileColumns},
  ${known} exists (select from social.follow where follower_id = ${viewer} and follow.user_id = profile.user_id) as following,
  ${known} exists (select from social.follow_request where follower_id = ${viewer} and follow_request.user_id = profile.user_id)
    as follow_request_sent,
  ${known} exists (select from social.follow where follower_id = ${viewer} and follow.user_id = profile.user_id and notifications)
    as notifications,
  ${known} exists (select from social.block where blocker_id = profile.user_id and block.user_id = ${viewer}) as blocks_viewer,
  (select viewer.viewer_version::text from social.profile as viewer where viewer.user_id = ${viewer}) as viewer_version`;
}

/** A status as the viewer sees it. */
export type ShownStatus = StatusRow & StatusRelation;

/**
 * The select list of a ShownStatus, for the viewer in this parameter, which may be null: then no relation is looked up. A
 * repost stands for what it repeats, as it does when it is marked.
 */
export function shownStatus(viewer: `$${number}`): string {
  const known = ifKnown(viewer);
  const [authorId, id] = [
    "coalesce(status.repost_of_author_id, status.author_id)",
    "coalesce(status.repost_of_id, status.id)",
  ];
  return `${statusColumns},
  ${known} exists (select from social.favorite where favorite.user_id = ${viewer} and favorite.author_id = ${authorId}
    and favorite.status_id = ${id}) as favorited,
  ${known} exists (select from social.status as repost where repost.author_id = ${viewer}
    and repost.repost_of_author_id = ${authorId} and repost.repost_of_id = ${id}) as retweeted`;
}

/**
 * Whether a row named `status` of a timeline is shown to the viewer in this parameter, which may be null. Reposts of suspended
 * authors are for no one; other people's reposts of authors whom the viewer has blocked or muted, or who have blocked the
 * viewer, are not for that viewer.
 */
export function isShownTo(viewer: `$${number}`): string {
  const original = "status.repost_of_author_id";
  return `not status.withheld and (${original} is null or ${viewer}::bigint is null or status.author_id = ${viewer} or not (
    exists (select from social.mute where muter_id = ${viewer} and mute.user_id = ${original})
    or exists (select from social.block where blocker_id = ${viewer} and block.user_id = ${original})
    or exists (select from social.block where blocker_id = ${original} and block.user_id = ${viewer})))`;
}

// Most reads are anonymous: without this each of their rows would go to every index, to find nothing under null.
function ifKnown(viewer: `$${number}`): string {
  return `${viewer}::bigint is not null and`;
}
