import { contentDigest } from "./digest.ts";

/** What names a status among those of all authors. */
export interface PublicKey {
  id: bigint;
  authorId: bigint;
}

/**
 * How far a reader has come. Ids of different authors do not commit in order, so the newest id alone would miss a status whose
 * transaction was still running when a newer one was read.
 */
export interface Progress {
  /** No status with a smaller id can appear any more. */
  water: bigint;
  /** The statuses from `water` on that the reader has been given, or that were left out for good. */
  had: readonly PublicKey[];
}

/** Where the next older page begins. */
export interface OlderPosition {
  before: PublicKey;
  /** How many statuses of which author the page before ends with, so that a run of one author is not continued. */
  run: Run;
}

/** Statuses of one author that follow each other. */
export interface Run {
  authorId: bigint;
  length: number;
}

/** The place of a page in the public timeline: its `newer`, and for its `next` also where the older page begins. */
export interface PublicCursor {
  progress: Progress;
  older: OlderPosition | undefined;
}

/** The most statuses in a cursor: it stays below 3 KB, which any proxy lets through in an address. */
export const maxHad = 100;

/** The text of a cursor. */
export function writePublicCursor({ progress, older }: PublicCursor): string {
  const had = progress.had.map(({ id, authorId }) => [id, authorId]);
  const place =
    older === undefined ? [] : [older.before.id, older.before.authorId, older.run.authorId, older.run.length];
  const text = [[progress.water], place, ...had].map((part) => part.map((number) => number.toString(36)).join("-"));
  return seal(text.join("."));
}

/** Reads a cursor; "bad" for a text that writePublicCursor did not make. */
export function readPublicCursor(text: string): PublicCursor | "bad" {
  const body = text.slice(0, text.lastIndexOf("."));
  if (!form.test(body) || seal(body) !== text) return "bad";
  const [[water = 0n] = [], place = [], ...had] = body.split(".").map(readNumbers);
  const [id, authorId = 0n, runAuthorId = 0n, length = 0n] = place;
  return {
    progress: { water, had: had.map(([id = 0n, authorId = 0n]) => ({ id, authorId })) },
    older:
      id === undefined
        ? undefined
        : { before: { id, authorId }, run: { authorId: runAuthorId, length: Number(length) } },
  };
}

const number = "[0-9a-z]{1,11}";
const form = new RegExp(`^${number}\\.(?:${number}(?:-${number}){3})?(?:\\.${number}-${number}){0,${maxHad}}$`);

function readNumbers(part: string): bigint[] {
  // Ids stay below 2^53, so no digit is lost.
  return part === "" ? [] : part.split("-").map((digits) => BigInt(Number.parseInt(digits, 36)));
}

/** Adds a checksum, so that the cursor of another list is refused. It is no secret: a forged cursor only gives another page. */
function seal(body: string): string {
  return `${body}.${contentDigest(["public", body]).subarray(0, 6).toString("hex")}`;
}
