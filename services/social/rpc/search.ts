import { create, type DescMessage, type Message } from "@bufbuild/protobuf";
import {
  type SearchStatusesRequest,
  SearchStatusesRequestSchema,
  SearchStatusesResponseSchema,
  type SearchUsersRequest,
  SearchUsersRequestSchema,
  SearchUsersResponseSchema,
} from "../../../proto/gen/social/people/v1/search_pb.ts";
import type { ProfileResult } from "../../../proto/gen/social/v1/profiles_pb.ts";
import type { Status } from "../../../proto/gen/social/v1/statuses_pb.ts";
import { compileSize } from "../../platform/rules/field-rules.ts";
import { fieldNamed } from "../../platform/rules/request-rules.ts";
import type { SocialContext } from "../context.ts";
import { readSearchCursor, type Search, writeSearchCursor } from "../domain/cursors.ts";
import type { StatusKey } from "../domain/status-key.ts";
import { readStatusQuery, type StatusQuery } from "../domain/status-query.ts";
import { readUserQuery, type UserQuery } from "../domain/user-query.ts";
import { loadRelations } from "../store/graph/load-relations.ts";
import { listProfiles } from "../store/profiles/list-profiles.ts";
import { findUserId } from "../store/profiles/name-holders.ts";
import {
  chooseList,
  keepHavingAll,
  listFound,
  listSearched,
  type SearchedList,
} from "../store/search/search-statuses.ts";
import { listNamed } from "../store/search/search-users.ts";
import { statusWithUser } from "../views/status.ts";
import { shownUsers } from "./find-users.ts";
import { checkedCursor } from "./people-request.ts";

/**
 * One page of the users whom a text finds, by name key, without suspended ones.
 * @param header of the request
 * @throws InvalidArgument, ResourceExhausted when the client's address reads too often
 */
export async function searchUsers(
  ctx: SocialContext,
  request: SearchUsersRequest,
  viewer: bigint | undefined,
  header: Headers,
) {
  const call = {
    schema: SearchUsersRequestSchema,
    request,
    header,
    search: { operation: "users" as const, q: request.q, viewer },
  };
  const page = await readSearch(ctx, call, () => {
    const query = readUserQuery(request.q);
    return (after, limit) => readUsers(ctx, query, viewer, after, limit);
  });
  return create(SearchUsersResponseSchema, page);
}

/**
 * One page of the newest statuses that everybody may read and that fit a text, without reposts. For a viewer without authors whom the
 * viewer has blocked or muted, or who have blocked the viewer.
 * @param header of the request
 * @throws InvalidArgument, ResourceExhausted when the client's address reads too often
 */
export async function searchStatuses(
  ctx: SocialContext,
  request: SearchStatusesRequest,
  viewer: bigint | undefined,
  header: Headers,
) {
  const call = {
    schema: SearchStatusesRequestSchema,
    request,
    header,
    search: { operation: "statuses" as const, q: request.q, viewer },
  };
  const page = await readSearch(ctx, call, async (start) => {
    const query = readStatusQuery(request.q);
    const authorId = query?.from === undefined ? undefined : await findUserId(ctx.pool, query.from);
    if (query === undefined || (query.from !== undefined && authorId === undefined)) return async () => [];
    const list = await chooseList(ctx.pool, likelyRarest(query.words), authorId, keyOf(start));
    return (after, limit) => readStatuses(ctx, { query, authorId, list }, viewer, keyOf(after), limit);
  });
  return create(SearchStatusesResponseSchema, page);
}

/** Something that was looked at for a page; `shown` is undefined where it does not belong there. */
interface Looked<T> {
  position: string;
  shown: T | undefined;
}

/** Reads candidates in order: at most `limit` of those after a position, fewer only when there are no more. */
type Read<T> = (after: string | undefined, limit: number) => Promise<Looked<T>[]>;

/** What a page is read for. */
interface Call {
  schema: DescMessage;
  request: Message & { take?: bigint; cursor: string };
  header: Headers;
  search: Search;
}

/** Checks a request, counts it, and reads its page. @param prepare gets the position where the page begins */
async function readSearch<T>(
  ctx: SocialContext,
  { schema, request, header, search }: Call,
  prepare: (start: string | undefined) => Read<T> | Promise<Read<T>>,
): Promise<{ results: T[]; next: string }> {
  const start = checkedCursor(schema, request, (cursor) => readSearchCursor(cursor, search))?.position;
  await ctx.readLimits.take(header);
  const take = compileSize(fieldNamed(schema, "take"))(request.take);
  const { results, next, looked } = await fillPage(take, await prepare(start), start);
  ctx.metrics.searchCandidates.of(search.operation).observe(looked);
  return { results, next: next === undefined ? "" : writeSearchCursor(next, search) };
}

/** Where so many candidates do not fit that a few steps do not fill the page, it is shorter, and `next` goes on. */
async function fillPage<T>(take: number, read: Read<T>, start: string | undefined) {
  const results: T[] = [];
  let after = start;
  let looked = 0;
  // One more tells whether there is a next page.
  for (const limit of [take + 1, ...furtherSteps]) {
    const part = await read(after, limit);
    looked += part.length;
    for (const { position, shown } of part) {
      if (shown !== undefined) {
        if (results.length === take) return { results, next: after, looked };
        results.push(shown);
      }
      after = position;
    }
    if (part.length < limit) return { results, next: undefined, looked };
  }
  return { results, next: after, looked };
}

/** How many candidates are read in each step after the first. */
const furtherSteps = [50, 300, 1_000];

async function readUsers(
  { pool }: SocialContext,
  query: UserQuery,
  viewer: bigint | undefined,
  after = "",
  limit: number,
): Promise<Looked<ProfileResult>[]> {
  const users = await listNamed(pool, query, after, limit);
  const rows = await listProfiles(
    pool,
    users.map(({ userId }) => userId),
    [],
    viewer,
  );
  const fitting = rows.filter((row) => query.fits({ screenName: row.screen_name, name: row.name }));
  const shown = new Map(shownUsers(fitting, viewer).map((user) => [user.id, user]));
  return users.map(({ nameKey, userId }) => ({ position: nameKey, shown: shown.get(userId) }));
}

interface StatusSearch {
  query: StatusQuery;
  authorId: bigint | undefined;
  /** Where the candidates stand. */
  list: SearchedList;
}

async function readStatuses(
  { pool, isCluster }: SocialContext,
  { query, authorId, list }: StatusSearch,
  viewer: bigint | undefined,
  before: StatusKey,
  limit: number,
): Promise<Looked<Status>[]> {
  const keys = await listSearched(pool, list, before, limit);
  const ofAuthor = authorId === undefined ? keys : keys.filter((key) => key.authorId === authorId);
  // Of statuses that lack a word as few as possible are read.
  const others = likelyRarest(query.words).filter((word) => !("word" in list && list.word === word));
  const onCluster = await isCluster();
  const looksUp = others.length > 0 && ofAuthor.length > 0 && !onCluster;
  const possible = looksUp ? await keepHavingAll(pool, ofAuthor, others) : ofAuthor;
  const rows = (await listFound(pool, onCluster, possible, query.words)).filter((row) => query.isIn(row.text));
  const relations = await loadRelations(
    pool,
    viewer,
    rows.map((row) => row.authorId),
    rows.map((row) => [row.authorId, row]),
  );
  const shown = new Map(
    rows
      .filter((row) => !relations.isApartFrom(row.authorId))
      .map((row) => {
        const relation = viewer === undefined ? undefined : relations.toUser(row.authorId);
        return [positionOf(row), statusWithUser({ ...row, ...relations.toStatus(row) }, relation)];
      }),
  );
  return keys.map((key) => ({ position: positionOf(key), shown: shown.get(positionOf(key)) }));
}

/** The words that are most likely rare: of more than a few it would take long to find out which one is the rarest. */
function likelyRarest(words: readonly string[]): string[] {
  return words.toSorted((a, b) => b.length - a.length).slice(0, 4);
}

function positionOf({ id, authorId }: StatusKey): string {
  return `${id}.${authorId}`;
}

/** @param position undefined for the beginning, before the newest status */
function keyOf(position = `${2n ** 53n}.0`): StatusKey {
  const [id = "", authorId = ""] = position.split(".");
  return { id: BigInt(id), authorId: BigInt(authorId) };
}
