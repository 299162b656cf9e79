import type { ListScope } from "./cursors.ts";
import { contentDigest } from "./digest.ts";
import type { StatusKey } from "./status-key.ts";

/** The statuses before a position, the newest first; or those from an id on, the oldest first. */
export type TimelineRange = { before: StatusKey } | { from: bigint };

/**
 * How far a reader has come. Ids of different authors do not commit in order, so the newest id alone would miss a status whose
 * transaction was still running when a newer one was read.
 */
export interface Progress {
  /** No status with a smaller id can appear any more. */
  water: bigint;
  /**
   * By author, the newest status from `water` on that the reader has been given. Earlier ones of the author are on the same or an older
   * page, since those of one author do not overtake each other.
   */
  had: ReadonlyMap<bigint, bigint>;
}

/** Where the next page begins: of older statuses, but of answers newer ones. */
export interface NextPosition {
  before: StatusKey;
  /** How many statuses of which author the page before ends with, so that a run of one author is not continued. */
  run: Run;
}

/** Statuses of one author that follow each other. */
export interface Run {
  authorId: bigint;
  length: number;
}

/** The place of a page in a timeline of many authors: its `newer`, and for its `next` also where the next page begins. */
export interface TimelineCursor {
  progress: Progress;
  next: NextPosition | undefined;
}

/** The most authors in a cursor, as many as a page may have: it stays below 4 KB, which any proxy lets through in an address. */
export const maxHad = 200;

/** The text of a cursor, which is valid for this timeline only. */
export function writeTimelineCursor({ progress, next }: TimelineCursor, scope: ListScope): string {
  // Relative to the water, to which they are close: five digits instead of ten.
  const had = [...progress.had].map(([authorId, id]) => [id - progress.water, authorId]);
  const place = next === undefined ? [] : [next.before.id, next.before.authorId, next.run.authorId, next.run.length];
  const text = [[progress.water], place, ...had].map((part) => part.map((number) => number.toString(36)).join("-"));
  return seal(text.join("."), scope);
}

/** Reads a cursor; "bad" for a text that writeTimelineCursor did not make for this timeline. */
export function readTimelineCursor(text: string, scope: ListScope): TimelineCursor | "bad" {
  const body = text.slice(0, text.lastIndexOf("."));
  if (!form.test(body) || seal(body, scope) !== text) return "bad";
  const [[water = 0n] = [], place = [], ...had] = body.split(".").map(readNumbers);
  const [id, authorId = 0n, runAuthorId = 0n, length = 0n] = place;
  return {
    progress: { water, had: new Map(had.map(([distance = 0n, authorId = 0n]) => [authorId, water + distance])) },
    next:
      id === undefined
        ? undefined
        : { before: { id, authorId }, run: { authorId: runAuthorId, length: Number(length) } },
  };
}

// One more than at the end of a page: a cursor within a page also has the status after which it stands.
const number = "[0-9a-z]{1,11}";
const form = new RegExp(`^${number}\\.(?:${number}(?:-${number}){3})?(?:\\.${number}-${number}){0,${maxHad + 1}}$`);

function readNumbers(part: string): bigint[] {
  // Ids stay below 2^53, so no digit is lost.
  return part === "" ? [] : part.split("-").map((digits) => BigInt(Number.parseInt(digits, 36)));
}

/** Adds a checksum, so that the cursor of another list is refused. It is no secret: a forged cursor only gives another page. */
function seal(body: string, scope: ListScope): string {
  return `${body}.${contentDigest([...scope, body])
    .subarray(0, 6)
    .toString("hex")}`;
}
