import { create } from "@bufbuild/protobuf";
import {
  type ReadNewsRequest,
  type ReadNewsResponse,
  ReadNewsResponseSchema,
  WatchResponseSchema,
} from "../../../proto/gen/social/v1/watch_service_pb.ts";
import type { SocialContext } from "../context.ts";
import { canRead } from "../domain/can-read.ts";
import { checkReadable } from "../domain/check-readable.ts";
import { unknownScreenName } from "../domain/errors.ts";
import { type ListScope, readListCursor, writeListCursor } from "../domain/list-cursor.ts";
import { readTimelineCursor } from "../domain/timeline-cursor.ts";
import { loadRelations } from "../store/graph/load-relations.ts";
import { findWater } from "../store/statuses/find-water.ts";
import { listRemovalsOf } from "../store/statuses/list-changes.ts";
import { listFollowed } from "../store/statuses/list-home.ts";
import { findWatchedAuthor, listNewsOf } from "../store/statuses/list-news.ts";
import { statusWithUser } from "../views/status-with-user.ts";
import { findNamedUser, getNamedId } from "./people-request.ts";
import { readNews as readNewsOfMany, readTimelinePage } from "./timeline-pages.ts";
import { protectedTimeline } from "./timelines.ts";
import { listHomeCandidates } from "./timelines-of-many.ts";

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

/** The most statuses of one response. */
const take = 50;

async function readHomeNews(ctx: SocialContext, { viewerId: userId, cursor, listsAuthors }: ReadNewsRequest) {
  const scope: ListScope = ["home", userId];
  const position = cursor === "" ? undefined : readTimelineCursor(cursor, scope);
  const list = await listHomeCandidates(ctx, userId);
  const authorIds = await listFollowed(ctx.pool, userId);
  const authors = listsAuthors ? authorIds : [];
  if (position === undefined || position === "bad") {
    const { newer } = await readTimelinePage(ctx, { scope, take: 1, cursor: undefined }, list);
    return create(ReadNewsResponseSchema, { cursor: newer, isLost: position === "bad", authorIds: authors });
  }
  // First: what was removed by a transaction that has ended by now is found, and no later cursor is asked for it.
  const water = await findWater(ctx.pool, await ctx.isCluster());
  const removals = await listRemovalsOf(ctx.pool, authorIds, position.progress.water);
  const found = await readNewsOfMany({ scope, take, list }, position.progress, water);
  return create(ReadNewsResponseSchema, {
    news: found.news,
    cursor: found.cursor,
    hasMore: found.hasMore,
    removals: removals.map(({ userId, at }) => `${userId}:${at}`),
    authorIds: authors,
  });
}

/** Statuses of one author do not overtake each other, so the id of the last one is the place. The cursor also has the last removal. */
async function readAuthorNews(ctx: SocialContext, { viewerId, screenName, cursor, listsAuthors }: ReadNewsRequest) {
  const viewer = viewerId === 0n ? undefined : viewerId;
  const authorId = getNamedId(await findNamedUser(ctx, { screenName }));
  const author = await findWatchedAuthor(ctx.pool, authorId);
  if (author === undefined) throw unknownScreenName();
  const scope: ListScope = ["live", authorId];
  const [after = author.id_watermark, removedBefore] = readListCursor(cursor, scope);
  const isNew = removedBefore === undefined;
  const rows = isNew ? [] : await listNewsOf(ctx.pool, authorId, after, take);
  const relations = await loadRelations(
    ctx.pool,
    viewer,
    [authorId],
    rows.map((row) => [authorId, row]),
  );
  const relation = relations.toUser(authorId);
  checkReadable({ ...author, ...relation }, viewer, protectedTimeline);
  const removed = BigInt(author.removed_at ?? 0);
  const cursorAt = (id: bigint) => writeListCursor([id, removed], scope);
  const news = rows.flatMap((row) => {
    const shown = { ...row, ...relation };
    // The author may have changed since.
    if (!canRead(shown, viewer) || relations.isHidden(authorId, row)) return [];
    const status = statusWithUser({ ...row, ...relations.toStatus(row) }, viewer === undefined ? undefined : shown);
    return [{ status, cursor: cursorAt(row.id) }];
  });
  return create(ReadNewsResponseSchema, {
    news,
    cursor: cursorAt(rows.at(-1)?.id ?? after),
    hasMore: rows.length === take,
    isLost: isNew && cursor !== "",
    removals: isNew || removed === removedBefore ? [] : [`${authorId}:${removed}`],
    authorIds: listsAuthors ? [authorId] : [],
  });
}
