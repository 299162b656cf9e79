import type { Db } from "../../../platform/postgres/pool.ts";
import type { TimelinePage } from "../../domain/timeline-page.ts";
import { loadRelations, type ViewerRelations } from "../graph/load-relations.ts";
import { type ShownStatus, type StatusRow, statusColumns } from "../rows.ts";

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
  /** Whether all statuses were read in one state of their author, and one of the viewer. */
  isOneRead: boolean;
}

/**
 * What a viewer may see of a page of one timeline. For each status that is hidden from the viewer a later one is read, so that
 * the page is full when there are enough.
 */
export async function showStatuses(db: Db, viewer: bigint, read: ReadPage): Promise<Shown> {
  const { authorId, page } = read;
  const relations = await loadRelations(
    db,
    viewer,
    [authorId],
    read.statuses.map((status) => [authorId, status]),
  );
  const shown: ShownStatus[] = read.statuses
    .filter((status) => !relations.isHidden(authorId, status))
    .map((status) => Object.assign(status, relations.toStatus(authorId, status)));
  const last = read.statuses.at(-1);
  const isLast = last === undefined || read.statuses.length < page.take || shown.length === page.take;
  if (isLast) return { relations, shown, isOneRead: true };
  // More than are missing, so that a timeline of only hidden ones takes few steps.
  const next = { ...page, maxId: last.status_id - 1n, take: Math.max(page.take - shown.length, minRead) };
  const more = await showStatuses(db, viewer, {
    authorId,
    page: next,
    statuses: await listStatuses(db, authorId, next),
  });
  return { relations, shown: [...shown, ...more.shown].slice(0, page.take), isOneRead: false };
}

const minRead = 50;

/** A page of one timeline without its author. */
async function listStatuses(db: Db, authorId: bigint, { sinceId, maxId, take }: TimelinePage): Promise<StatusRow[]> {
  const { rows } = await db.query<StatusRow>({
    name: "list-statuses",
    text: `select ${statusColumns} from social.status
           where author_id = $1 and id > $2 and id <= $3 and not withheld order by id desc limit $4`,
    values: [authorId, sinceId, maxId, take],
  });
  return rows;
}

/** The newest status of a timeline before this one that a viewer may see; undefined when there is none. */
export async function findNewestShown(db: Db, viewer: bigint, authorId: bigint, before: bigint) {
  const page = { sinceId: 0n, maxId: before - 1n, take: 1 };
  const statuses = await listStatuses(db, authorId, page);
  return (await showStatuses(db, viewer, { authorId, page, statuses })).shown[0];
}
