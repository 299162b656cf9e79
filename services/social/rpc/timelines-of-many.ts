import { create } from "@bufbuild/protobuf";
import {
  type SocialFavoritesRequest,
  SocialFavoritesRequestSchema,
  SocialFavoritesResponseSchema,
  type SocialHomeRequest,
  SocialHomeRequestSchema,
  SocialHomeResponseSchema,
  type SocialMentionsRequest,
  SocialMentionsRequestSchema,
  SocialMentionsResponseSchema,
  type SocialPublicRequest,
  SocialPublicRequestSchema,
  SocialPublicResponseSchema,
  type SocialRepliesRequest,
  SocialRepliesRequestSchema,
  SocialRepliesResponseSchema,
} from "../../../proto/gen/social/people/v1/timelines_pb.ts";
import type { Status } from "../../../proto/gen/social/v1/statuses_pb.ts";
import { compileSize } from "../../platform/rules/field-rules.ts";
import { fieldNamed } from "../../platform/rules/request-rules.ts";
import type { SocialContext } from "../context.ts";
import { canRead } from "../domain/can-read.ts";
import { type ListScope, readListCursor, writeListCursor } from "../domain/cursors.ts";
import type { StatusKey } from "../domain/status-key.ts";
import { loadRelations, type ViewerRelations } from "../store/graph/load-relations.ts";
import type { AuthoredRow } from "../store/rows.ts";
import { type FavoritePosition, listFavorites } from "../store/statuses/favorites.ts";
import { listHome } from "../store/statuses/list-home.ts";
import { listPublic, listReplies, listStatuses } from "../store/statuses/list-statuses.ts";
import { listMentions } from "../store/statuses/mentions.ts";
import { statusWithUser } from "../views/status.ts";
import { checkedCursor, checkRequest } from "./people-request.ts";
import { getReadableStatus } from "./statuses.ts";
import {
  type Candidate,
  type ListCandidates,
  readPosition,
  readRepliesPage,
  readTimelinePage,
} from "./timeline-pages.ts";

/**
 * One page of the newest statuses that every caller may read: without replies and reposts, and with at most three of one author in a row.
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
  const position = readPosition(SocialPublicRequestSchema, request, ["public"]);
  await ctx.readLimits.take(header);
  const list = async (...page: Page) => {
    const rows = await listPublic(ctx.pool, ...page);
    return candidatesOf(ctx, rows, viewer, (row) => !row.protected);
  };
  return create(SocialPublicResponseSchema, await readTimelinePage(ctx, position, list, maxRun));
}

type Page = Parameters<ListCandidates>;

/** Statuses of one author in a row. */
const maxRun = 3;

/** One page of what the actor and the users whom the actor follows have published. @throws InvalidArgument */
export async function socialHome(ctx: SocialContext, request: SocialHomeRequest) {
  const { userId } = request;
  const position = readPosition(SocialHomeRequestSchema, request, ["home", userId]);
  const list = await listHomeCandidates(ctx, userId);
  return create(SocialHomeResponseSchema, await readTimelinePage(ctx, position, list));
}

/** What may be in a user's home. */
export async function listHomeCandidates(ctx: SocialContext, userId: bigint): Promise<ListCandidates> {
  const home = { userId, isCluster: await ctx.isCluster() };
  return async (...page) => candidatesOf(ctx, await listHome(ctx.pool, home, ...page), userId);
}

/** One page of the statuses that mention the actor. @throws InvalidArgument */
export async function socialMentions(ctx: SocialContext, request: SocialMentionsRequest) {
  const { userId } = request;
  const position = readPosition(SocialMentionsRequestSchema, request, ["mentions", userId]);
  const isMention = ({ entities }: AuthoredRow) => entities.userMentions.some(({ id }) => id === `${userId}`);
  const list = async (...page: Page) => {
    const keys = await listMentions(ctx.pool, userId, ...page);
    return candidatesAt(
      keys,
      await candidatesOf(ctx, await listStatuses(ctx.pool, await ctx.isCluster(), keys), userId, isMention),
    );
  };
  return create(SocialMentionsResponseSchema, await readTimelinePage(ctx, position, list));
}

/**
 * One page of what answers a status directly, the oldest first.
 * @throws InvalidArgument; NotFound for an unknown status; Unauthenticated or PermissionDenied when the viewer may not read it
 */
export async function socialReplies(ctx: SocialContext, request: SocialRepliesRequest, viewer: bigint | undefined) {
  // Before the status is looked up; readPosition then checks the cursor, which belongs to that status, as well.
  checkRequest(SocialRepliesRequestSchema, request);
  const { user_id: authorId, status_id: id } = await getReadableStatus(ctx, request, viewer);
  const position = readPosition(SocialRepliesRequestSchema, request, ["replies", authorId, id]);
  const list = async (after: StatusKey, limit: number) =>
    candidatesOf(ctx, await listReplies(ctx.pool, { authorId, id }, after, limit), viewer);
  return create(SocialRepliesResponseSchema, await readRepliesPage(ctx, position, list));
}

/**
 * One page of the actor's favourites, the newest mark first. Statuses that the actor may no longer read are left out, so that a page may
 * be shorter.
 * @throws InvalidArgument
 */
export async function socialFavorites(ctx: SocialContext, request: SocialFavoritesRequest) {
  const { userId } = request;
  const scope: ListScope = ["favorites", userId];
  const after = checkedCursor(SocialFavoritesRequestSchema, request, (cursor) => {
    const [at = 0n, authorId = 0n, id] = readListCursor(cursor, scope);
    return id === undefined ? "bad" : { at, authorId, id };
  });
  const take = sizeOf(request.take);
  const marks = await listFavorites(ctx.pool, userId, after, take + 1);
  const keys: FavoritePosition[] = marks.slice(0, take);
  const candidates = candidatesAt(
    keys,
    await candidatesOf(ctx, await listStatuses(ctx.pool, await ctx.isCluster(), keys), userId),
  );
  const last = keys.at(-1);
  return create(SocialFavoritesResponseSchema, {
    results: candidates.filter(({ isVisible }) => isVisible).map(({ view }) => view()),
    next: last && marks.length > take ? writeListCursor([last.at, last.authorId, last.id], scope) : "",
  });
}

const sizeOf = compileSize(fieldNamed(SocialFavoritesRequestSchema, "take"));

/** The statuses for a reader, with one statement for all relations. @param isListed what else the timeline asks of a status */
async function candidatesOf(
  { pool }: SocialContext,
  rows: readonly AuthoredRow[],
  viewer: bigint | undefined,
  isListed: (row: AuthoredRow) => boolean = () => true,
): Promise<Candidate[]> {
  if (rows.length === 0) return [];
  const relations = await loadRelations(
    pool,
    viewer,
    rows.map(({ authorId }) => authorId),
    rows.map((row) => [row.authorId, row]),
  );
  return candidatesFor(viewer, relations, rows, isListed);
}

/**
 * Whether a reader may see each status: none of authors whom the reader may not read, has blocked or muted, or who have blocked the
 * reader, and no reposts of such.
 * @param relations of the reader to all authors and statuses
 */
export function candidatesFor(
  viewer: bigint | undefined,
  relations: ViewerRelations,
  rows: readonly AuthoredRow[],
  isListed: (row: AuthoredRow) => boolean,
  view = viewOf,
): Candidate[] {
  return rows.map((row) => {
    const { id, authorId, user_id, suspended } = row;
    const relation = relations.toUser(authorId);
    const isReadable = canRead({ user_id, protected: row.protected, suspended, ...relation }, viewer);
    const isHidden = relations.isApartFrom(authorId) || relations.isHidden(authorId, row);
    return {
      id,
      authorId,
      isVisible: isReadable && !isHidden && isListed(row),
      view: () => view(row, viewer, relations),
    };
  });
}

/** A status with its author, as a viewer sees both. */
export function viewOf(row: AuthoredRow, viewer: bigint | undefined, relations: ViewerRelations): Status {
  const relation = viewer === undefined ? undefined : relations.toUser(row.authorId);
  return statusWithUser({ ...row, ...relations.toStatus(row) }, relation);
}

/** A candidate for each key, in their order. A status that is gone is one that no reader sees. */
function candidatesAt(keys: readonly StatusKey[], found: readonly Candidate[]): Candidate[] {
  const byKey = new Map(found.map((candidate) => [keyText(candidate), candidate]));
  return keys.map((key) => byKey.get(keyText(key)) ?? { ...key, isVisible: false, view: noView });
}

function keyText({ authorId, id }: StatusKey): string {
  return `${authorId}:${id}`;
}

function noView(): never {
  throw new Error("a status that no reader may see");
}
