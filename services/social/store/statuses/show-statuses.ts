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
export async function showStatuses(db: Db, viewer: bigint, { authorId, page, statuses }: ReadPage): Promise<Shown> {
  const shown: ShownStatus[] = [];
  let firstRelations: ViewerRelations | undefined;
  let take = page.take;
  for (let read = statuses; ; ) {
    const relations = await loadRelations(
      db,
      viewer,
      [authorId],
      read.map((status) => [authorId, status]),
    );
    for (const status of read) {
      if (!relations.isHidden(authorId, status))
        shown.push(Object.assign(status, relations.toStatus(authorId, status)));
    }
    const isOneRead = firstRelations === undefined;
    firstRelations ??= relations;
    const last = read.at(-1);
    if (last === undefined || read.length < take || shown.length >= page.take) {
      return { relations: firstRelations, shown: shown.slice(0, page.take), isOneRead };
    }
    // More each time, so that a timeline of only hidden ones takes few steps.
    take = Math.min(Math.max(2 * take, minRead), maxRead);
    read = await listStatuses(db, authorId, { ...page, maxId: last.status_id - 1n, take });
  }
}

const minRead = 50;
const maxRead = 1_000;

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
