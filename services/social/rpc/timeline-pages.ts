import type { DescMessage, Message } from "@bufbuild/protobuf";
import type { Status } from "../../../proto/gen/social/v1/statuses_pb.ts";
import { compileSize } from "../../platform/rules/field-rules.ts";
import { idDistance } from "../../platform/rules/ids.ts";
import { fieldNamed } from "../../platform/rules/request-rules.ts";
import type { SocialContext } from "../context.ts";
import type { ListScope } from "../domain/cursors.ts";
import type { StatusKey } from "../domain/status-key.ts";
import {
  maxHad,
  type NextPosition,
  type Progress,
  type Run,
  readTimelineCursor,
  type TimelineCursor,
  type TimelineRange,
  writeTimelineCursor,
} from "../domain/timeline-cursor.ts";
import { checkedCursor } from "./people-request.ts";

/** Which page a request asks for. */
export interface TimelinePosition {
  scope: ListScope;
  take: number;
  /** Undefined for the newest statuses. */
  cursor: TimelineCursor | undefined;
}

/** @throws InvalidArgument naming every bad field */
export function readPosition(
  schema: DescMessage,
  request: Message & { take?: bigint; cursor: string },
  scope: ListScope,
): TimelinePosition {
  const cursor = checkedCursor(schema, request, (cursor) => readTimelineCursor(cursor, scope));
  return { scope, take: compileSize(fieldNamed(schema, "take"))(request.take), cursor };
}

/** A status that may be on a page. */
export interface Candidate extends StatusKey {
  /** Whether this reader may see it. */
  isVisible: boolean;
  view(): Status;
}

/** Reads up to `limit` candidates; fewer mean that there are no more in this range. */
export type ListCandidates = (range: TimelineRange, limit: number) => Promise<Candidate[]>;

/**
 * One page of a timeline of many authors, with the cursors of the next older page and of what is published from now on. A reader who
 * follows `newer` is given every status exactly once, also one whose publication was under way during an earlier read.
 * @param maxRun the most statuses of one author in a row; more are left out
 */
export async function readTimelinePage(
  ctx: SocialContext,
  { scope, take, cursor }: TimelinePosition,
  list: ListCandidates,
  maxRun = Infinity,
) {
  return pageOf(await readPage(ctx, { take, list, maxRun }, cursor), scope);
}

function pageOf({ shown, next, progress }: Page, scope: ListScope) {
  return {
    results: shown.map(({ view }) => view()),
    next: next === undefined ? "" : writeTimelineCursor({ progress, next }, scope),
    newer: writeTimelineCursor({ progress, next: undefined }, scope),
  };
}

/**
 * The oldest statuses that a reader was not given yet, the oldest first, each with a cursor that stands after it and before the next one.
 * @param water as ctx.findWater gave it before
 */
export async function readNews(
  { scope, take, list }: { scope: ListScope; take: number; list: ListCandidates },
  progress: Progress,
  water: bigint,
) {
  const news: { status: Status; cursor: string }[] = [];
  const cursorAt = (progress: Progress) => writeTimelineCursor({ progress, next: undefined }, scope);
  const onGiven = (candidate: Candidate, progress: Progress) =>
    news.push({ status: candidate.view(), cursor: cursorAt(progress) });
  const page = await readNewer({ take, list, maxRun: Infinity, onGiven }, progress, water);
  const { isComplete } = page;
  const reached = isComplete ? beyond(page, water) : page.progress;
  const last = reached.water === progress.water ? news.at(-1)?.cursor : undefined;
  return { news, cursor: last ?? cursorAt(reached), hasMore: news.length === take, isComplete };
}

/** The progress of a reader who has been given all that is below a water. */
function beyond({ progress }: { progress: Progress }, water: bigint): Progress {
  return progressFrom(largest(progress.water, water), progress.had);
}

/**
 * Where a reader stands whose page begins with this status: after it, or at the last full minute where that is later. Older statuses that
 * they may read only later on, as those of an author whom they follow then, are no news. Not the moment itself, so that a page that
 * is read again has the same `newer` and ETag.
 */
function placeAfter(newest: StatusKey | undefined, water: bigint): bigint {
  return smallest(water, largest(minuteOf(water), (newest?.id ?? 0n) + 1n));
}

function minuteOf(id: bigint): bigint {
  return id - (id % minute);
}

const minute = idDistance(60_000);

/** Reads up to `limit` answers after a position, the oldest first; fewer mean that there are no more. */
export type ListReplies = (after: StatusKey, limit: number) => Promise<Candidate[]>;

/**
 * The same for answers, whose pages are read from the oldest on: `next` goes to newer ones. What is published after the first page is
 * given by `newer`, and by `next` too if that reaches it.
 */
export async function readRepliesPage(
  ctx: SocialContext,
  { scope, take, cursor }: TimelinePosition,
  list: ListReplies,
) {
  const water = await ctx.findWater();
  if (cursor !== undefined && cursor.next === undefined) {
    const page = await readNewer({ take, list: fromId(list), maxRun: Infinity }, cursor.progress, water);
    return pageOf({ ...page, shown: page.shown.toReversed() }, scope);
  }
  const { shown, candidates, after } = await readReplies(take, list, cursor?.next?.before ?? beforeAll);
  const next = after && { before: after, run: beginning.run };
  if (cursor !== undefined) return pageOf({ shown, next, progress: cursor.progress }, scope);
  const since = (id: bigint) => fromId(list)({ from: id }, maxHad);
  const latest = after === undefined ? candidates : await since(minuteOf(water));
  if (after !== undefined && latest.length === maxHad) {
    // Of more answers in a minute than a cursor holds, only those that are not below the water are known to be new.
    return pageOf({ shown, next, progress: progressFrom(water, newestOf(await since(water))) }, scope);
  }
  return pageOf({ shown, next, progress: progressFrom(placeAfter(latest.at(-1), water), newestOf(latest)) }, scope);
}

const beforeAll: StatusKey = { id: 0n, authorId: 0n };
/** Above every id. */
const aboveIds = 2n ** 53n;

/** Answers after a position, and where the next page begins; undefined on the last one. */
async function readReplies(take: number, list: ListReplies, begin: StatusKey) {
  const shown: Candidate[] = [];
  const candidates: Candidate[] = [];
  let after: StatusKey | undefined = begin;
  for (const limit of stepsFor(take)) {
    const part = await list(after, limit);
    for (const candidate of part) {
      if (candidate.isVisible && shown.length === take) return { shown, candidates, after };
      after = candidate;
      candidates.push(candidate);
      if (candidate.isVisible) shown.push(candidate);
    }
    if (part.length < limit) return { shown, candidates, after: undefined };
  }
  return { shown, candidates, after };
}

function fromId(list: ListReplies): ListCandidates {
  return (range, limit) => list("from" in range ? { id: range.from - 1n, authorId: aboveIds } : range.before, limit);
}

/** What a page is read from. */
interface Source {
  take: number;
  list: ListCandidates;
  maxRun: number;
  /** Is called for each status of a page of news, the oldest first, with the progress of a reader who has got as far as this one. */
  onGiven?(candidate: Candidate, progress: Progress): void;
}

interface Page {
  /** Newest first. */
  shown: Candidate[];
  /** Where the next page begins; undefined on the last one. */
  next: NextPosition | undefined;
  progress: Progress;
}

async function readPage(ctx: SocialContext, source: Source, cursor: TimelineCursor | undefined): Promise<Page> {
  if (cursor?.next !== undefined) {
    const page = await readOlder(source, cursor.next);
    return { ...page, progress: cursor.progress };
  }
  // Before the statuses: what a transaction publishes that has ended by now is among them.
  const water = await ctx.findWater();
  if (cursor !== undefined) {
    const page = await readNewer(source, cursor.progress, water);
    return page.isComplete ? { ...page, progress: beyond(page, minuteOf(water)) } : page;
  }
  const page = await readOlder(source, beginning);
  return { ...page, progress: await progressAfter(source, page, water) };
}

/** Before the newest status. */
const beginning: NextPosition = { before: { id: aboveIds, authorId: 0n }, run: { authorId: 0n, length: 0 } };

/** What was read for a page, newest first, and whether nothing older is left. */
interface Older extends Omit<Page, "progress"> {
  candidates: Candidate[];
  isComplete: boolean;
}

/**
 * Statuses before a position. Where so many are left out that a few steps do not fill the page, it is shorter, and `next` goes on.
 */
async function readOlder({ take, list, maxRun }: Source, { before, run }: NextPosition): Promise<Older> {
  const shown: Candidate[] = [];
  const candidates: Candidate[] = [];
  for (const limit of stepsFor(take)) {
    const part = await list({ before: candidates.at(-1) ?? before }, limit);
    candidates.push(...part);
    for (const candidate of part) {
      if (!candidate.isVisible) continue;
      const longer = continueRun(run, candidate, maxRun);
      if (longer === undefined) continue;
      if (shown.length === take) {
        return { shown, next: { before: shown.at(-1) as Candidate, run }, candidates, isComplete: false };
      }
      run = longer;
      shown.push(candidate);
    }
    if (part.length < limit) return { shown, next: undefined, candidates, isComplete: true };
  }
  return { shown, next: { before: candidates.at(-1) as Candidate, run }, candidates, isComplete: false };
}

/** How many statuses are read in each step. Few are left out as a rule, and then one step is enough. */
function stepsFor(take: number): number[] {
  return [take + 5, 200, 500, 500];
}

/** The run with one more status; undefined when it would be too long. */
function continueRun({ authorId, length }: Run, status: StatusKey, maxRun: number): Run | undefined {
  if (status.authorId !== authorId) return { authorId: status.authorId, length: 1 };
  return length === maxRun ? undefined : { authorId, length: length + 1 };
}

/**
 * The progress of a reader who was given the first page. Older statuses that stand are for the older pages, also those that are not
 * below the water: their authors are read here.
 * @param water no status with a smaller id could appear when the page was read
 */
async function progressAfter({ list }: Source, { candidates, isComplete }: Older, water: bigint): Promise<Progress> {
  const last = candidates.at(-1);
  const others = last === undefined || isComplete || last.id < water ? [] : await list({ before: last }, maxHad);
  return progressFrom(placeAfter(candidates[0], water), newestOf([...candidates, ...others]));
}

/** By author, the newest status that the reader may see. */
function newestOf(candidates: readonly Candidate[]): Map<bigint, bigint> {
  const newest = new Map<bigint, bigint>();
  for (const { authorId, id, isVisible } of candidates) {
    const known = newest.get(authorId);
    if (isVisible && (known === undefined ? newest.size < maxHad : id > known)) newest.set(authorId, id);
  }
  return newest;
}

/**
 * The oldest statuses that the reader was not given yet. More authors than a cursor holds are not given at once, until older
 * transactions have ended.
 */
async function readNewer(
  { take, list, maxRun, onGiven }: Source,
  { water: from, had }: Progress,
  water: bigint,
): Promise<Page & { isComplete: boolean }> {
  const reached = new Map(had);
  let isComplete = false;
  const unsettled = new Set([...had].flatMap(([authorId, id]) => (id < water ? [] : [authorId])));
  const given: Candidate[] = [];
  /** Nothing with a smaller id is left for the next page. */
  let rest = from;
  reading: for (const limit of stepsFor(take + had.size)) {
    const part = await list({ from: rest }, limit);
    for (const candidate of part) {
      const { id, authorId, isVisible } = candidate;
      rest = id;
      if (!isVisible || id <= (reached.get(authorId) ?? -1n)) continue;
      if (given.length === take) break reading;
      if (id >= water && unsettled.add(authorId).size > maxHad) break reading;
      reached.set(authorId, id);
      given.push(candidate);
      // From its own id on, since another author may have the same one.
      onGiven?.(candidate, progressFrom(largest(from, smallest(water, id)), reached));
    }
    if (part.length === limit) continue;
    if (part.length > 0) rest += 1n;
    isComplete = true;
    break;
  }
  return {
    isComplete,
    shown: withoutLongRuns(given.toReversed(), maxRun),
    // All that is older was on earlier pages.
    next: undefined,
    progress: progressFrom(largest(from, smallest(water, rest)), reached),
  };
}

function withoutLongRuns(statuses: Candidate[], maxRun: number): Candidate[] {
  let run: Run = beginning.run;
  return statuses.filter((status) => {
    const longer = continueRun(run, status, maxRun);
    run = longer ?? run;
    return longer !== undefined;
  });
}

function progressFrom(water: bigint, had: ReadonlyMap<bigint, bigint>): Progress {
  return { water, had: new Map([...had].filter(([, id]) => id >= water)) };
}

function largest(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function smallest(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
