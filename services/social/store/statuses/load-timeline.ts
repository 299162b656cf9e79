import type { Db } from "../../../platform/postgres/pool.ts";
import type { TimelinePage } from "../../domain/timeline-page.ts";
import {
  type ProfileRow,
  profileColumns,
  type ShownProfile,
  type ShownStatus,
  type StatusRow,
  statusColumns,
} from "../rows.ts";
import { type EpochRow, epochColumn } from "../versions.ts";
import { type HiddenOriginals, isNotSkipped, type ReadPage, showStatuses } from "./show-statuses.ts";

type AuthorRow = ProfileRow & EpochRow;

export interface Timeline {
  author: ShownProfile & EpochRow;
  /** Newest first. */
  statuses: ShownStatus[];
  /** The users whose relation to the viewer was read. */
  related: readonly bigint[];
}

/**
 * One page of the timeline of the user who has this id and this name, as the caller sees it, or undefined when there is none. Where statuses
 * are hidden from a viewer it is read in several steps, and the author is as the last one found it: a later reply may not show an older state.
 * @param viewer undefined for an anonymous caller
 */
export async function loadTimeline(
  db: Db,
  user: NamedUser,
  page: TimelinePage,
  viewer: bigint | undefined,
): Promise<Timeline | undefined> {
  const read = (page: TimelinePage, hidden?: HiddenOriginals) => readTimeline(db, user, page, viewer, hidden);
  const found = await showStatuses(db, viewer, user.userId, page, read);
  if (found === undefined) return undefined;
  const { author, relations, shown, isOneRead } = found;
  return {
    author: { ...author, ...relations.toUser(user.userId), is_one_read: isOneRead },
    statuses: shown,
    related: relations.userIds,
  };
}

interface NamedUser {
  nameKey: string;
  userId: bigint;
}

/**
 * One statement, so that author and statuses come from one snapshot and one shard. The author is one JSON column of the first row: separate
 * columns would cost thirty nulls in every other row.
 */
function selectTimeline(condition = ""): string {
  return `select case row_number() over (order by status.id desc) when 1 then row_to_json(author) end as author,
            ${statusColumns}
          from (
            select ${profileColumns}, ${epochColumn}
            from social.screen_name join social.profile using (user_id)
            where name_key = $1 and profile.user_id = $5
          ) as author left join lateral (
            select * from social.status
            where author_id = $5 and id > $2 and id <= $3 and not withheld and ($6 or not restricted) ${condition}
            order by id desc limit $4
          ) as status on true
          order by status.id desc`;
}

// Made once, since there are many columns.
const wholeTimeline = selectTimeline();
const timelineWithoutHidden = selectTimeline(`and ${isNotSkipped(7)}`);

/** @param hidden whose statuses are skipped; undefined where none were found hidden yet */
async function readTimeline(
  db: Db,
  { nameKey, userId }: NamedUser,
  { sinceId, maxId, take }: TimelinePage,
  viewer: bigint | undefined,
  hidden: HiddenOriginals | undefined,
): Promise<ReadPage<AuthorRow> | undefined> {
  const values = [nameKey, sinceId, maxId, take, userId, viewer !== undefined];
  const { rows } = await db.query<StatusRow & { author: AuthorJson | null }>(
    hidden === undefined
      ? { name: "load-timeline", text: wholeTimeline, values }
      : {
          name: "load-timeline-without-hidden",
          text: timelineWithoutHidden,
          values: [...values, ...hidden.values(viewer)],
        },
  );
  const [first] = rows;
  if (!first?.author) return undefined;
  return { author: readAuthor(first.author), statuses: first.status_id === null ? [] : rows };
}

/** An author in the JSON form of a row. Ids and versions stay within 2^53-1, so no digit is lost. */
type AuthorJson = {
  [Column in keyof AuthorRow]: AuthorRow[Column] extends bigint
    ? number
    : AuthorRow[Column] extends Date
      ? string
      : AuthorRow[Column];
};

function readAuthor(json: AuthorJson): AuthorRow {
  return {
    ...json,
    user_id: BigInt(json.user_id),
    version: BigInt(json.version),
    content_version: BigInt(json.content_version),
    counters_version: BigInt(json.counters_version),
    created_at: new Date(json.created_at),
  };
}
