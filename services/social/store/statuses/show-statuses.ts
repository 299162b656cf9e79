import { unavailable } from "../../../platform/errors.ts";
import type { Db } from "../../../platform/postgres/pool.ts";
import type { TimelinePage } from "../../domain/timeline-page.ts";
import { loadRelations, type ViewerRelations } from "../graph/load-relations.ts";
import {
  type ProfileRelation,
  type ProfileRow,
  type ShownStatus,
  type StatusRelation,
  type StatusRow,
  statusColumns,
} from "../rows.ts";
import { type EpochRow, epochColumn } from "../versions.ts";

/** What one statement has read of a timeline. */
export interface ReadPage<Author> {
  author: Author;
  /** Newest first; when fewer than asked for, there are no more. */
  statuses: StatusRow[];
}

interface Shown<Author> {
  /** As the last read found it. */
  author: Author;
  /** Of the last read. */
  relations: ViewerRelations;
  shown: ShownStatus[];
  /** Whether all was read in one step. */
  isOneRead: boolean;
}

/**
 * The statuses of one page of a timeline that the caller may see. For each hidden status a later one is read, so that the page is full if
 * there are enough. After the first read the database skips reposts of the users whose statuses were found to be hidden.
 * @param read one page, after the first time without the statuses that were found to be hidden; undefined when the author is not there
 * @returns undefined when a read found no author
 * @throws Unavailable when statuses of too many different users are hidden: a full page would take too long, and a shorter one would be wrong
 */
export async function showStatuses<Author>(
  db: Db,
  viewer: bigint | undefined,
  authorId: bigint,
  page: TimelinePage,
  read: (page: TimelinePage, hidden?: HiddenOriginals) => Promise<ReadPage<Author> | undefined>,
): Promise<Shown<Author> | undefined> {
  const shown: ShownStatus[] = [];
  const hidden = new HiddenOriginals();
  let next = page;
  for (let step = 1; ; step++) {
    const isOneRead = step === 1;
    const found = await read(next, isOneRead ? undefined : hidden);
    if (found === undefined) return undefined;
    const { author, statuses } = found;
    const relations = await loadRelations(
      db,
      viewer,
      [authorId],
      statuses.map((status) => [authorId, status]),
    );
    for (const status of statuses) {
      if (relations.isHidden(authorId, status)) hidden.add(status, relations);
      else shown.push(Object.assign(status, relations.toStatus(status)));
    }
    const last = statuses.at(-1);
    if (last === undefined || statuses.length < next.take || shown.length >= page.take) {
      return { author, relations, shown: shown.slice(0, page.take), isOneRead };
    }
    if (step === maxSteps) throw unavailable();
    // More each time, so that a timeline of only hidden statuses takes few steps.
    next = { ...page, maxId: last.status_id - 1n, take: Math.min(Math.max(2 * next.take, minRead), maxRead) };
  }
}

/** Statuses that are read in one step after the first. */
const minRead = 50;
const maxRead = 200;
/** Each read after the first skips all reposts of the users that earlier reads found to be hidden. */
const maxSteps = 8;

/** The users found so far whose reposted statuses are hidden from a viewer. */
export class HiddenOriginals {
  /** All reposts of their statuses are hidden. */
  readonly always = new Set<bigint>();
  /** Only the restricted reposts of their statuses are hidden. */
  readonly restricted = new Set<bigint>();

  add(status: StatusRow, relations: ViewerRelations): void {
    const { repost_of_author_id: author } = status;
    if (author !== null) (relations.isRestricted(status) ? this.restricted : this.always).add(author);
  }

  /** The values of `isNotSkipped`. */
  values(viewer: bigint | undefined): [viewer: bigint | undefined, always: bigint[], restricted: bigint[]] {
    return [viewer, [...this.always], [...this.restricted]];
  }
}

/**
 * A condition on a status, as ViewerRelations.isHidden. Restricted reposts are hidden in the viewer's own timeline, too.
 * @param first the number of the first of three parameters, the values of HiddenOriginals
 */
export function isNotSkipped(first: number): string {
  const [viewer, always, restricted] = [`$${first}::bigint`, `$${first + 1}::bigint[]`, `$${first + 2}::bigint[]`];
  return `(repost_of_author_id is null or (
             (author_id = ${viewer} or repost_of_author_id = author_id or repost_of_author_id <> all (${always}))
             and not (restricted and repost_of_author_id = any (${restricted}))))`;
}

/** The state of a user, which versionOf names, and whether the user is suspended in it. */
type UserState = Pick<ProfileRow, "content_version" | "counters_version" | "suspended"> & EpochRow;

/** The newest status of a user that a viewer may see, or none, with the state of the user in the same snapshot. */
type NewestShown = UserState & ((StatusRow & StatusRelation) | { status_id: null });

/** The newest of the states of a viewer in several reads. */
type NewestViewer = Pick<ProfileRelation, "viewer_version" | "viewer_epoch" | "is_one_read">;

/**
 * The newest statuses of users whose very newest ones are hidden from a viewer, by user. A user has none who has none among the newest
 * 1,000, or whose newest ones repeat too many different users who are hidden; one who was deleted meanwhile is missing. With the newest state
 * of the viewer in these reads.
 * @param newest the hidden statuses, with their authors
 * @param relations of the viewer to these
 */
export async function findNewestShown(
  db: Db,
  viewer: bigint,
  newest: readonly (readonly [authorId: bigint, status: StatusRow])[],
  relations: ViewerRelations,
): Promise<{ found: Map<bigint, NewestShown>; newestViewer: NewestViewer }> {
  const found = new Map<bigint, NewestShown>();
  const hidden = new HiddenOriginals();
  for (const [, status] of newest) hidden.add(status, relations);
  let last = relations;
  let authors = newest.map(([authorId, status]) => ({ authorId, before: status.status_id }));
  for (const take of steps) {
    if (authors.length === 0) break;
    const each = Math.max(1, Math.min(take, Math.floor(maxTake / authors.length)));
    const read = await listNewest(db, viewer, authors, each, hidden);
    const authored = read.flatMap((row) => (row.status_id === null ? [] : [[row.author_id, row] as const]));
    const known = await loadRelations(db, viewer, [], authored);
    last = known;
    const undecided = new Set<bigint>();
    for (const { authorId } of authors) found.delete(authorId);
    for (const row of read) {
      const { author_id: authorId } = row;
      if (found.has(authorId) && !undecided.has(authorId)) continue;
      if (row.status_id === null) found.set(authorId, row);
      else if (known.isHidden(authorId, row)) {
        hidden.add(row, known);
        undecided.add(authorId);
        found.set(authorId, withoutStatus(row));
      } else {
        undecided.delete(authorId);
        found.set(authorId, Object.assign(row, known.toStatus(row)));
      }
    }
    authors = authors.filter(({ authorId }) => undecided.has(authorId));
  }
  const { viewer_version, viewer_epoch } = last.toUser(viewer);
  return { found, newestViewer: { viewer_version, viewer_epoch, is_one_read: false } };
}

function withoutStatus({ content_version, counters_version, suspended, epoch }: UserState): NewestShown {
  return { content_version, counters_version, suspended, epoch, status_id: null };
}

/** Statuses that are read in one step, of one user and of all users. The last step decides for a single user. */
const steps = [1, 4, 16, 64, 1_000];
const maxTake = 1_000;

/**
 * The newest statuses of some users, `take` of each, without those found to be hidden; those of one user newest first. Looks at the
 * newest 1,000 of each user before a status that was read with the user: the rest of the profile is from that moment. A user without such
 * statuses has one row.
 */
async function listNewest(
  db: Db,
  viewer: bigint,
  authors: readonly { authorId: bigint; before: bigint }[],
  take: number,
  hidden: HiddenOriginals,
) {
  const { rows } = await db.query<UserState & { author_id: bigint } & (StatusRow | { status_id: null })>({
    name: "list-newest-statuses",
    text: `select profile.user_id as author_id, profile.content_version, profile.counters_version, profile.suspended,
             ${epochColumn}, ${statusColumns}
           from social.profile left join lateral (
             select * from (
               select * from social.status
               where author_id = profile.user_id and not withheld
                 and id < ($6::bigint[])[array_position($1::bigint[], profile.user_id)]
               order by id desc limit 1000
             ) as newest where ${isNotSkipped(3)} order by id desc limit $2
           ) as status on true
           where profile.user_id = any ($1::bigint[])
           order by author_id, status_id desc`,
    values: [
      authors.map(({ authorId }) => authorId),
      take,
      ...hidden.values(viewer),
      authors.map(({ before }) => before),
    ],
  });
  return rows;
}
