import { create } from "@bufbuild/protobuf";
import {
  type SocialPublicRequest,
  SocialPublicRequestSchema,
  SocialPublicResponseSchema,
} from "../../../proto/gen/social/people/v1/timelines_pb.ts";
import type { Status } from "../../../proto/gen/social/v1/statuses_pb.ts";
import { invalidFields } from "../../platform/errors.ts";
import { compileSize } from "../../platform/rules/field-rules.ts";
import { fieldNamed } from "../../platform/rules/request-rules.ts";
import type { SocialContext } from "../context.ts";
import {
  maxHad,
  type OlderPosition,
  type Progress,
  type PublicCursor,
  type PublicKey,
  type Run,
  readPublicCursor,
  writePublicCursor,
} from "../domain/public-cursor.ts";
import { badCursor } from "../domain/relation-page.ts";
import { loadRelations } from "../store/graph/load-relations.ts";
import { findWater } from "../store/statuses/find-water.ts";
import { listPublic } from "../store/statuses/list-public.ts";
import { statusWithUser } from "../views/status-with-user.ts";
import { checkRequest } from "./people-request.ts";

/**
 * One page of the newest statuses that everybody may read: without replies and reposts, and with at most three of one author in a row.
 * For a viewer without authors whom the viewer has blocked or muted, or who have blocked the viewer.
 * @param header of the request
 * @throws InvalidArgument, ResourceExhausted when the client's address reads too often
 */
export async function socialPublic(
  ctx: SocialContext,
  request: SocialPublicRequest,
  viewer: bigint | undefined,
  header: Headers,
) {
  const cursor = request.cursor === "" ? undefined : readPublicCursor(request.cursor);
  checkRequest(SocialPublicRequestSchema, request, [cursor === "bad" ? badCursor() : undefined]);
  if (cursor === "bad") throw invalidFields([badCursor()]);
  await ctx.readLimits.take(header);
  const { shown, older, progress } = await readPage(ctx, sizeOf(request.take), cursor, viewer);
  return create(SocialPublicResponseSchema, {
    results: shown.map(({ view }) => view()),
    next: older === undefined ? "" : writePublicCursor({ progress, older }),
    newer: writePublicCursor({ progress, older: undefined }),
  });
}

const sizeOf = compileSize(fieldNamed(SocialPublicRequestSchema, "take"));

interface Page {
  /** Newest first. */
  shown: Candidate[];
  /** Where the next older page begins; undefined on the last one. */
  older: OlderPosition | undefined;
  progress: Progress;
}

/** A status that may be on a page. */
interface Candidate extends PublicKey {
  /** Whether this reader may see it. */
  isVisible: boolean;
  view(): Status;
}

async function readPage(
  ctx: SocialContext,
  take: number,
  cursor: PublicCursor | undefined,
  viewer: bigint | undefined,
): Promise<Page> {
  const read: Read = (range, limit) => readCandidates(ctx, range, limit, viewer);
  if (cursor?.older !== undefined) {
    const page = await readOlder(read, take, cursor.older);
    return { ...page, progress: cursor.progress };
  }
  // Before the statuses: what a transaction publishes that has ended by now is among them.
  const water = await findWater(ctx.pool, await ctx.isCluster());
  if (cursor !== undefined) return readNewer(read, take, cursor.progress, water);
  const page = await readOlder(read, take, newest);
  return { ...page, progress: progressAfter(page, water) };
}

/** Before every id. */
const newest: OlderPosition = { before: { id: 2n ** 53n, authorId: 0n }, run: { authorId: 0n, length: 0 } };

type Read = (range: { before: PublicKey } | { from: bigint }, limit: number) => Promise<Candidate[]>;

async function readCandidates(
  { pool }: SocialContext,
  range: Parameters<Read>[0],
  limit: number,
  viewer: bigint | undefined,
): Promise<Candidate[]> {
  const rows = await listPublic(pool, range, limit);
  const relations = await loadRelations(
    pool,
    viewer,
    rows.map(({ authorId }) => authorId),
    rows.map((row) => [row.authorId, row]),
  );
  return rows.map((row) => ({
    id: row.id,
    authorId: row.authorId,
    isVisible: row.is_public && !relations.isApartFrom(row.authorId),
    view: () =>
      statusWithUser(
        { ...row, ...relations.toStatus(row) },
        viewer === undefined ? undefined : relations.toUser(row.authorId),
      ),
  }));
}

/** What was read for a page, newest first, and whether nothing older is left. */
interface Older extends Omit<Page, "progress"> {
  candidates: Candidate[];
  isComplete: boolean;
}

/**
 * Statuses before a position. Where so many are left out that a few steps do not fill the page, it is shorter, and `older` goes on.
 */
async function readOlder(read: Read, take: number, { before, run }: OlderPosition): Promise<Older> {
  const shown: Candidate[] = [];
  const candidates: Candidate[] = [];
  for (const limit of stepsFor(take)) {
    const part = await read({ before: candidates.at(-1) ?? before }, limit);
    candidates.push(...part);
    for (const candidate of part) {
      if (!candidate.isVisible) continue;
      const longer = continueRun(run, candidate);
      if (longer === undefined) continue;
      if (shown.length === take) {
        return { shown, older: { before: shown.at(-1) as Candidate, run }, candidates, isComplete: false };
      }
      run = longer;
      shown.push(candidate);
    }
    if (part.length < limit) return { shown, older: undefined, candidates, isComplete: true };
  }
  return { shown, older: { before: candidates.at(-1) as Candidate, run }, candidates, isComplete: false };
}

/** How many statuses are read in each step. Few are left out as a rule, and then one step is enough. */
function stepsFor(take: number): number[] {
  return [take + 20, 200, 500, 500];
}

/** The run with one more status; undefined when it would be too long. */
function continueRun({ authorId, length }: Run, status: PublicKey): Run | undefined {
  if (status.authorId !== authorId) return { authorId: status.authorId, length: 1 };
  return length === maxRun ? undefined : { authorId, length: length + 1 };
}

const maxRun = 3;

/**
 * The progress of a reader who was given the first page. What is older than all candidates is for the older pages.
 * @param water no status with a smaller id could appear when the page was read
 */
function progressAfter({ candidates, isComplete }: Older, water: bigint): Progress {
  const [first] = candidates;
  if (first === undefined) return { water, had: [] };
  const had = candidates.filter(({ isVisible }) => isVisible);
  const lowest = isComplete ? 0n : (candidates.at(-1) as Candidate).id + 1n;
  const fitting = (had[maxHad]?.id ?? -1n) + 1n;
  return progressFrom(largest(smallest(water, first.id + 1n), largest(lowest, fitting)), had);
}

/**
 * The oldest statuses that the reader was not given yet. More than a cursor holds are not given at once, until older transactions have
 * ended.
 */
async function readNewer(read: Read, take: number, { water: from, had }: Progress, water: bigint): Promise<Page> {
  const known = new Set(had.map(keyOf));
  const given: Candidate[] = [];
  let unsettled = had.filter(({ id }) => id >= water).length;
  /** Nothing with a smaller id is left for the next page. */
  let rest = from;
  reading: for (const limit of stepsFor(take + had.length)) {
    const part = await read({ from: rest }, limit);
    for (const candidate of part) {
      rest = candidate.id;
      if (!candidate.isVisible || known.has(keyOf(candidate))) continue;
      if (candidate.id >= water && ++unsettled > maxHad) break reading;
      if (given.length === take) break reading;
      known.add(keyOf(candidate));
      given.push(candidate);
    }
    if (part.length === limit) continue;
    if (part.length > 0) rest += 1n;
    break;
  }
  return {
    shown: withoutLongRuns(given.toReversed()),
    // All that is older was on earlier pages.
    older: undefined,
    progress: progressFrom(largest(from, smallest(water, rest)), [...had, ...given]),
  };
}

function withoutLongRuns(statuses: Candidate[]): Candidate[] {
  let run: Run = newest.run;
  return statuses.filter((status) => {
    const longer = continueRun(run, status);
    run = longer ?? run;
    return longer !== undefined;
  });
}

function progressFrom(water: bigint, statuses: readonly PublicKey[]): Progress {
  return { water, had: statuses.filter(({ id }) => id >= water) };
}

function keyOf({ id, authorId }: PublicKey): string {
  return `${id}:${authorId}`;
}

function largest(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function smallest(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
