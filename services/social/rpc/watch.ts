import { create } from "@bufbuild/protobuf";
import type { Status } from "../../../proto/gen/social/v1/statuses_pb.ts";
import {
  type News,
  type Place,
  type Reading,
  type ReadNewsOfManyRequest,
  ReadNewsOfManyRequestSchema,
  type ReadNewsOfManyResponse,
  ReadNewsOfManyResponseSchema,
  type ReadNewsRequest,
  type ReadNewsResponse,
  ReadNewsResponseSchema,
  WatchResponseSchema,
} from "../../../proto/gen/social/v1/watch_service_pb.ts";
import { refuseFields } from "../../platform/errors.ts";
import { tooManyEntries } from "../../platform/max-entries.ts";
import type { SocialContext } from "../context.ts";
import { canRead, checkReadable } from "../domain/can-read.ts";
import { type ListScope, readListCursor, writeListCursor } from "../domain/cursors.ts";
import { unknownScreenName } from "../domain/errors.ts";
import { type Progress, readTimelineCursor } from "../domain/timeline-cursor.ts";
import { loadRelations, loadRelationsOfMany, type ViewerRelations } from "../store/graph/load-relations.ts";
import type { AuthoredRow } from "../store/rows.ts";
import {
  hasLeft,
  isFrom,
  listPublished,
  listRemovals,
  listRemovalsOf,
  type Removal,
} from "../store/statuses/list-changes.ts";
import { listFollowed } from "../store/statuses/list-home.ts";
import { listNewsOf, listWatchedAuthors, type WatchedAuthor } from "../store/statuses/list-news.ts";
import { findNamedUser, getNamedId } from "./people-request.ts";
import { type ListCandidates, readNews as readCandidates, readTimelinePage } from "./timeline-pages.ts";
import { protectedTimeline } from "./timelines.ts";
import { candidatesFor, listHomeCandidates, viewOf } from "./timelines-of-many.ts";

/** Whose statuses may have changed, from now on. */
export async function* watch(ctx: SocialContext, signal: AbortSignal) {
  for await (const authorIds of ctx.watch.follow(signal)) yield create(WatchResponseSchema, { authorIds });
}

/**
 * What a reader was not given yet.
 * @throws NotFound, Unauthenticated and PermissionDenied as SocialTimelines does, when it is the timeline of one user
 */
export async function readNews(ctx: SocialContext, request: ReadNewsRequest): Promise<ReadNewsResponse> {
  return request.screenName === "" ? readHomeNews(ctx, request) : readAuthorNews(ctx, request);
}

/** The most statuses of one reader in a response. */
const take = 50;

async function readHomeNews(ctx: SocialContext, { viewerId: userId, cursor }: ReadNewsRequest) {
  const scope = homeOf(userId);
  const position = cursor === "" ? undefined : readTimelineCursor(cursor, scope);
  const list = await listHomeCandidates(ctx, userId);
  const authorIds = await listFollowed(ctx.pool, userId);
  if (position === undefined || position === "bad") {
    const { newer } = await readTimelinePage(ctx, { scope, take: 1, cursor: undefined }, list);
    return create(ReadNewsResponseSchema, { reading: { cursor: newer }, isLost: position === "bad", authorIds });
  }
  // First: what was removed by a transaction that has ended by now is found, and no later cursor is asked for it.
  const water = await ctx.findWater();
  const removals = await listRemovalsOf(ctx.pool, authorIds, position.progress.water);
  // Removals of an author who has been left are among these no more.
  const isLeft = await hasLeft(ctx.pool, userId, position.progress.water);
  const statuses = new Statuses();
  const { news, cursor: next, hasMore } = await readCandidates({ scope, take, list }, position.progress, water);
  const reading = readingOf({ news: statuses.add(news), cursor: next, hasMore, removals: removals.map(textOf) });
  return create(ReadNewsResponseSchema, { reading, statuses: statuses.all, authorIds, hasLeft: isLeft });
}

async function readAuthorNews(ctx: SocialContext, { viewerId, screenName, cursor }: ReadNewsRequest) {
  const viewer = viewerOf(viewerId);
  const authorId = getNamedId(await findNamedUser(ctx, { screenName }));
  const [author] = await listWatchedAuthors(ctx.pool, [authorId]);
  if (author === undefined) throw unknownScreenName();
  const position = readListCursor(cursor, timelineOf(authorId));
  const [after = author.id_watermark, removedBefore] = position;
  const isNew = removedBefore === undefined;
  const rows = isNew
    ? []
    : await listNewsOf(ctx.pool, await ctx.isCluster(), [{ authorId, from: after + 1n }], take + 1);
  const relations = await loadRelations(ctx.pool, viewer, [authorId], rows.map(authored));
  checkReadable({ ...author, ...relations.toUser(authorId) }, viewer, protectedTimeline);
  const statuses = new Statuses();
  const place = { after, removedBefore: removedBefore ?? removedAt(author) };
  const reading = timelineReading({ author, rows, viewer, relations, statuses }, place);
  const isLost = isNew && cursor !== "";
  return create(ReadNewsResponseSchema, { reading, statuses: statuses.all, isLost, authorIds: [authorId] });
}

/**
 * The same for readers who have come nearly as far, with a few statements for all. Where that does not give all the news of a reader, or
 * the reader may not read them, the reading says that there may be more.
 * @throws InvalidArgument
 */
export async function readNewsOfMany(
  ctx: SocialContext,
  request: ReadNewsOfManyRequest,
): Promise<ReadNewsOfManyResponse> {
  refuseFields([tooManyEntries(ReadNewsOfManyRequestSchema, request)]);
  const ofAll = request.authorIds.length === 0;
  // First, as above.
  const water = await ctx.findWater();
  const readers = request.places.map(readerAt);
  const changes = await listChanges(ctx, readers, request.authorIds);
  const statuses = new Statuses();
  const readings = readers.map(async (reader) => {
    if (changes === undefined || reader.place === undefined) return unread(reader.cursor);
    const part = { ...changes, viewer: reader.viewer, relations: changes.relationsOf(reader.viewer), statuses };
    const { place, authorId } = reader;
    if ("water" in place) return homeReading(part, place, ofAll ? water : place.water);
    const author = changes.authors.get(authorId);
    const rows = changes.rowsOf.get(authorId) ?? [];
    if (author === undefined || !canRead({ ...author, ...part.relations.toUser(authorId) }, reader.viewer)) {
      return unread(reader.cursor);
    }
    return timelineReading({ ...part, author, rows }, place);
  });
  return create(ReadNewsOfManyResponseSchema, { readings: await Promise.all(readings), statuses: statuses.all });
}

interface Reader {
  viewer: bigint | undefined;
  /** 0 for the viewer's home. */
  authorId: bigint;
  cursor: string;
  /** Undefined for a cursor that cannot be read. */
  place: Progress | TimelinePlace | undefined;
}

/** Statuses of one author do not overtake each other, so the id of the last one is the place, with the author's last removal. */
interface TimelinePlace {
  after: bigint;
  removedBefore: bigint;
}

function readerAt({ viewerId, authorId, cursor }: Place): Reader {
  const reader = { viewer: viewerOf(viewerId), authorId, cursor };
  if (authorId === 0n) {
    const position = readTimelineCursor(cursor, homeOf(viewerId));
    return { ...reader, place: position === "bad" ? undefined : position.progress };
  }
  const [after, removedBefore] = readListCursor(cursor, timelineOf(authorId));
  const isOurs = after !== undefined && removedBefore !== undefined;
  return { ...reader, place: isOurs ? { after, removedBefore } : undefined };
}

/** What is new to some of the readers; undefined where that is too much to be read together. */
async function listChanges({ pool, isCluster }: SocialContext, readers: readonly Reader[], hinted: readonly bigint[]) {
  const waters = readers.flatMap(({ place }) => (place && "water" in place ? [place.water] : []));
  const homesFrom = waters.length === 0 ? undefined : waters.reduce((a, b) => (a < b ? a : b));
  const froms = new Map<bigint, bigint>();
  const add = (authorId: bigint, from: bigint) => {
    if (from < (froms.get(authorId) ?? from + 1n)) froms.set(authorId, from);
  };
  if (homesFrom !== undefined && hinted.length > 0) for (const authorId of hinted) add(authorId, homesFrom);
  if (homesFrom !== undefined && hinted.length === 0) {
    const published = await listPublished(pool, homesFrom, maxChanges);
    const removals = await listRemovals(pool, homesFrom, maxChanges);
    if (Math.max(published.length, removals.length) === maxChanges) return undefined;
    for (const { authorId } of published) add(authorId, homesFrom);
    for (const { userId } of removals) add(userId, homesFrom);
  }
  for (const { place, authorId } of readers) if (place && "after" in place) add(authorId, place.after + 1n);
  const authorIds = [...froms.keys()];
  const news = [...froms].map(([authorId, from]) => ({ authorId, from }));
  const onCluster = await isCluster();
  const [authors, rows] = await Promise.all([
    listWatchedAuthors(pool, authorIds),
    listNewsOf(pool, onCluster, news, maxChanges),
  ]);
  if (rows.length === maxChanges) return undefined;
  const viewers = new Set(readers.flatMap(({ viewer }) => viewer ?? []));
  return {
    authors: new Map(authors.map((author) => [author.user_id, author])),
    rows,
    rowsOf: byAuthor(rows),
    relationsOf: await loadRelationsOfMany(pool, [...viewers], authorIds, rows.map(authored)),
  };
}

function byAuthor(rows: readonly AuthoredRow[]): Map<bigint, AuthoredRow[]> {
  const groups = new Map<bigint, AuthoredRow[]>();
  for (const row of rows) groups.set(row.authorId, [...(groups.get(row.authorId) ?? []), row]);
  return groups;
}

/** Statuses and removals that are read for many readers together. */
const maxChanges = 1_000;

/** Who reads what. */
interface Part {
  viewer: bigint | undefined;
  relations: ViewerRelations;
  /** Of these authors and others, the oldest first. */
  rows: readonly AuthoredRow[];
  statuses: Statuses;
}

/** @param water below which nothing is missing; of the place itself if not all authors were read */
async function homeReading(
  { viewer = 0n, relations, rows, statuses, authors }: Part & { authors: ReadonlyMap<bigint, WatchedAuthor> },
  place: Progress,
  water: bigint,
) {
  const isOfHome = (authorId: bigint) => authorId === viewer || relations.toUser(authorId).following;
  const own = rows.filter(({ authorId, id }) => id > (place.had.get(authorId) ?? -1n) && isOfHome(authorId));
  const candidates = candidatesFor(viewer, relations, own, () => true, statuses.view);
  const list: ListCandidates = async (range, limit) =>
    candidates.filter(({ id }) => "from" in range && id >= range.from).slice(0, limit);
  const { news, cursor, isComplete } = await readCandidates({ scope: homeOf(viewer), take, list }, place, water);
  const removals = [...authors.values()].flatMap(({ user_id: userId, removed_at: at }) => {
    if (at === null || !isOfHome(userId) || relations.isApartFrom(userId)) return [];
    return isFrom({ userId, at }, place.water) ? [textOf({ userId, at })] : [];
  });
  return readingOf({ news: statuses.add(news), cursor, hasMore: !isComplete, removals });
}

/** @param rows more than `take`, if there are so many */
function timelineReading(
  { author, rows, viewer, relations, statuses }: Part & { author: WatchedAuthor },
  { after, removedBefore }: TimelinePlace,
) {
  const authorId = author.user_id;
  const relation = relations.toUser(authorId);
  const removed = removedAt(author);
  const cursorAt = (id: bigint) => writeListCursor([id, removed], timelineOf(authorId));
  const left = rows.filter(({ id }) => id > after);
  const read = left.slice(0, take);
  const news = read.flatMap((row) => {
    const shown = { ...row, ...relation };
    // The author may have changed since.
    if (!canRead(shown, viewer) || relations.isHidden(authorId, row)) return [];
    return [{ status: statuses.view(row, viewer, relations), cursor: cursorAt(row.id) }];
  });
  return readingOf({
    news: statuses.add(news),
    cursor: cursorAt(read.at(-1)?.id ?? after),
    hasMore: left.length > take,
    removals: removed === removedBefore ? [] : [`${authorId}:${removed}`],
  });
}

function unread(cursor: string): Reading {
  return readingOf({ news: [], cursor, hasMore: true, removals: [] });
}

/** Plain objects: create() would go through every field of every reading. */
function readingOf(fields: Omit<Reading, "$typeName" | "$unknown">): Reading {
  return { $typeName: "social.v1.Reading", ...fields };
}

/** The statuses of a response. */
class Statuses {
  readonly all: Status[] = [];
  readonly #indexes = new Map<Status, number>();
  readonly #views = new Map<string, Status>();

  /** A status as a viewer sees it: the same one for all who see it alike. */
  readonly view = (row: AuthoredRow, viewer: bigint | undefined, relations: ViewerRelations): Status => {
    const { favorited, retweeted } = relations.toStatus(row);
    const { notifications } = relations.toUser(row.authorId);
    const key = `${row.authorId}:${row.id}:${favorited}:${retweeted}:${viewer === undefined ? "" : notifications}`;
    const status = this.#views.get(key) ?? viewOf(row, viewer, relations);
    this.#views.set(key, status);
    return status;
  };

  add(news: readonly { status: Status; cursor: string }[]): News[] {
    return news.map(({ status, cursor }) => ({ $typeName: "social.v1.News", index: this.#indexOf(status), cursor }));
  }

  #indexOf(status: Status): number {
    const index = this.#indexes.get(status) ?? this.all.push(status) - 1;
    this.#indexes.set(status, index);
    return index;
  }
}

function homeOf(userId: bigint): ListScope {
  return ["home", userId];
}

function timelineOf(authorId: bigint): ListScope {
  return ["live", authorId];
}

function viewerOf(viewerId: bigint): bigint | undefined {
  return viewerId === 0n ? undefined : viewerId;
}

function authored(row: AuthoredRow) {
  return [row.authorId, row] as const;
}

function textOf({ userId, at }: Removal): string {
  return `${userId}:${at}`;
}

function removedAt({ removed_at: at }: WatchedAuthor): bigint {
  return BigInt(at ?? 0);
}
