import { unavailable } from "../../../platform/errors.ts";
import type { Db } from "../../../platform/postgres/pool.ts";
import type { TimelinePage } from "../../domain/timeline-page.ts";
import { loadRelations, type ViewerRelations } from "../graph/load-relations.ts";
import { type ProfileRelation, type ShownStatus, type StatusRelation, type StatusRow, statusColumns } from "../rows.ts";

/** Statuses of one timeline that were read, newest first. */
interface ReadPage {
  authorId: bigint;
  /** The requested page: when fewer were read, there are no more. */
  page: TimelinePage;
  statuses: StatusRow[];
}

interface Shown {
  relations: ViewerRelations;
  shown: ShownStatus[];
  /** The newest state of the viewer, where there was more than one read: then the author's states may differ as well. */
  newestViewer: NewestViewer | undefined;
}

/** The newest of the states of a viewer in several reads. */
type NewestViewer = Pick<ProfileRelation, "viewer_version" | "viewer_epoch" | "is_one_read">;

/** @param last the relations of the last read */
function newestOf(last: ViewerRelations, viewer: bigint): NewestViewer {
  const { viewer_version, viewer_epoch } = last.toUser(viewer);
  return { viewer_version, viewer_epoch, is_one_read: false };
}

/**
 * The statuses of one page of a timeline that a viewer may see. For each hidden status a later one is read, so that the page is full if
 * there are enough. After the first read the database skips reposts of the users whose statuses were found to be hidden.
 * @throws Unavailable when statuses of too many different users are hidden: a full page would take too long, and a shorter one would be wrong
 */
export async function showStatuses(db: Db, viewer: bigint, { authorId, page, statuses }: ReadPage): Promise<Shown> {
  const shown: ShownStatus[] = [];
  const hidden = new HiddenOriginals();
  let firstRelations: ViewerRelations | undefined;
  let take = page.take;
  let read = statuses;
  for (let step = 1; ; step++) {
    const relations = await loadRelations(
      db,
      viewer,
      [authorId],
      read.map((status) => [authorId, status]),
    );
    for (const status of read) {
      if (relations.isHidden(authorId, status)) hidden.add(status, relations);
      else shown.push(Object.assign(status, relations.toStatus(authorId, status)));
    }
    const newestViewer = firstRelations && newestOf(relations, viewer);
    firstRelations ??= relations;
    const last = read.at(-1);
    if (last === undefined || read.length < take || shown.length >= page.take) {
      return { relations: firstRelations, shown: shown.slice(0, page.take), newestViewer };
    }
    if (step === maxSteps) throw unavailable();
    // More each time, so that a timeline of only hidden statuses takes few steps.
    take = Math.min(Math.max(2 * take, minRead), maxRead);
    read = await listStatuses(db, viewer, authorId, { ...page, maxId: last.status_id - 1n, take }, hidden);
  }
}

/** Statuses that are read in one step after the first. */
const minRead = 50;
const maxRead = 200;
/** Each read after the first skips all reposts of the users that earlier reads found to be hidden. */
const maxSteps = 8;

/** The users found so far whose reposted statuses are hidden from a viewer. */
class HiddenOriginals {
  /** All reposts of their statuses are hidden. */
  readonly always = new Set<bigint>();
  /** Only the restricted reposts of their statuses are hidden. */
  readonly restricted = new Set<bigint>();

  add(status: StatusRow, relations: ViewerRelations): void {
    const { repost_of_author_id: author } = status;
    if (author !== null) (relations.isRestricted(status) ? this.restricted : this.always).add(author);
  }

  /** The values of `isNotSkipped`. */
  values(viewer: bigint): [viewer: bigint, always: bigint[], restricted: bigint[]] {
    return [viewer, [...this.always], [...this.restricted]];
  }
}

/**
 * A condition on a status, as ViewerRelations.isHidden. Restricted reposts are hidden in the viewer's own timeline, too.
 * @param first the number of the first of three parameters, the values of HiddenOriginals
 */
function isNotSkipped(first: number): string {
  const [viewer, always, restricted] = [`$${first}::bigint`, `$${first + 1}::bigint[]`, `$${first + 2}::bigint[]`];
  return `(repost_of_author_id is null or (
             (author_id = ${viewer} or repost_of_author_id = author_id or repost_of_author_id <> all (${always}))
             and not (restricted and repost_of_author_id = any (${restricted}))))`;
}

/** A page of one timeline without its author, and without statuses that were found to be hidden. */
async function listStatuses(
  db: Db,
  viewer: bigint,
  authorId: bigint,
  { sinceId, maxId, take }: TimelinePage,
  hidden: HiddenOriginals,
): Promise<StatusRow[]> {
  const { rows } = await db.query<StatusRow>({
    name: "list-statuses",
    text: `select ${statusColumns} from social.status
           where author_id = $1 and id > $2 and id <= $3 and not withheld and ${isNotSkipped(5)} order by id desc limit $4`,
    values: [authorId, sinceId, maxId, take, ...hidden.values(viewer)],
  });
  return rows;
}

/** The newest status of a user that a viewer may see. */
export type NewestShown = StatusRow & StatusRelation;

/**
 * The newest statuses of users whose very newest ones are hidden from a viewer, by user. A user is missing who has none among the newest
 * 1,000, or whose newest ones repeat too many different users who are hidden. With the newest state of the viewer in these reads and the earlier one.
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
    const authored = read.map((row) => [row.author_id, row] as const);
    const known = await loadRelations(db, viewer, [], authored);
    last = known;
    const undecided = new Set<bigint>();
    for (const [authorId, status] of authored) {
      if (found.has(authorId)) continue;
      if (known.isHidden(authorId, status)) {
        hidden.add(status, known);
        undecided.add(authorId);
      } else found.set(authorId, Object.assign(status, known.toStatus(authorId, status)));
    }
    authors = authors.filter(({ authorId }) => undecided.has(authorId) && !found.has(authorId));
  }
  return { found, newestViewer: newestOf(last, viewer) };
}

/** Statuses that are read in one step, of one user and of all users. The last step decides for a single user. */
const steps = [1, 4, 16, 64, 1_000];
const maxTake = 1_000;

/**
 * The newest statuses of some users, `take` of each, without those found to be hidden; those of one user newest first. Looks at the
 * newest 1,000 of each user before a status that was read with the user: a later one would be newer than the state that the reply names.
 */
async function listNewest(
  db: Db,
  viewer: bigint,
  authors: readonly { authorId: bigint; before: bigint }[],
  take: number,
  hidden: HiddenOriginals,
) {
  const { rows } = await db.query<StatusRow & { author_id: bigint }>({
    name: "list-newest-statuses",
    text: `select profile.user_id as author_id, ${statusColumns}
           from social.profile join lateral (
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
