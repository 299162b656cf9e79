import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { PeopleService } from "../../../proto/gen/social/people/v1/people_service_pb.ts";
import {
  type DeleteStatusRequest,
  type MarkStatusRequest,
  type PublishStatusRequest,
  type SocialStatusRequest,
  SocialStatusRequestSchema,
  SocialStatusResponseSchema,
} from "../../../proto/gen/social/people/v1/statuses_pb.ts";
import type { Media } from "../../../proto/gen/social/v1/entities_pb.ts";
import { type BadField, badField, permissionDenied } from "../../platform/errors.ts";
import type { Db } from "../../platform/postgres/pool.ts";
import { isBlank } from "../../platform/rules/field-rules.ts";
import { isLongerThan } from "../../platform/storable.ts";
import type { SocialContext } from "../context.ts";
import { canRead, checkReadable } from "../domain/can-read.ts";
import { composeEntities, mediumAt } from "../domain/compose-entities.ts";
import { findEntities } from "../domain/entities/find-entities.ts";
import {
  blockedByUser,
  noGeo,
  noRepostOfProtected,
  protectedStatuses,
  suspendedUser,
  unknownStatus,
  unreadable,
} from "../domain/errors.ts";
import { searchWords } from "../domain/search-words.ts";
import type { StatusKey } from "../domain/status-key.ts";
import { statusTextFault } from "../domain/status-text.ts";
import { repostText } from "../domain/weighted-text.ts";
import { getReader } from "../store/graph/load-relations.ts";
import { listMentionable } from "../store/profiles/list-mentionable.ts";
import { listProfiles } from "../store/profiles/list-profiles.ts";
import { type LockedProfile, lockProfiles } from "../store/profiles/lock-profiles.ts";
import { deleteStatuses, uncountReposts } from "../store/statuses/delete-statuses.ts";
import { deleteFavorite, insertFavorite } from "../store/statuses/favorites.ts";
import { insertStatus, type NewStatus } from "../store/statuses/insert-status.ts";
import { type FoundStatus, findStatus, loadStatus } from "../store/statuses/load-status.ts";
import { countRepost, findRepost } from "../store/statuses/reposts.ts";
import { statusWithUser } from "../views/status.ts";
import { checkRequest, findNamedUser, getNamedId, missingActor } from "./people-request.ts";
import { finishRemoval, removeStatuses } from "./remove-statuses.ts";
import { publishOnce, writeOnce } from "./write.ts";

/** Appends a status to the actor's timeline. */
export async function publishStatus(ctx: SocialContext, request: PublishStatusRequest) {
  const method = PeopleService.method.publishStatus;
  const faults = [statusTextFault(request.text, ctx.config.statusLength), longMediaUrls(request.mediaUrls)];
  checkRequest(method.input, request, faults);
  const { userId, inReplyToScreenName: screenName, inReplyToUserId: subjectId } = request;
  const isReply = screenName !== "" || subjectId !== undefined;
  const answered = isReply
    ? await findNamedUser(ctx, { screenName, ...(subjectId !== undefined && { subjectId }) })
    : undefined;
  return publishOnce(ctx, method, request, userId, {
    batched: answered ? undefined : () => withEntities(ctx.pool, statusOf(request)),
    async alone(db) {
      const key = answered && { authorId: getNamedId(answered), id: request.inReplyToStatusId ?? 0n };
      const inReplyTo = key && (await getAnsweredStatus(db, key, userId));
      const row = await appendStatus(db, { ...statusOf(request), inReplyTo, repostOf: undefined, truncated: false });
      if (row !== undefined) return row;
      const [author] = await listProfiles(db, [userId], []);
      throw author === undefined ? await missingActor(db, userId) : permissionDenied(noGeo);
    },
    answer: (row) => ({ results: [statusWithUser(row, { notifications: false })] }),
  });
}

/** Every address is in five fields of each reply that shows the status, and a page has 200 statuses. */
function longMediaUrls(urls: readonly string[]): BadField | undefined {
  return isLongerThan(urls.join(""), maxMediaUrls)
    ? badField("mediaUrls", "Length", `'Media Urls' must be ${maxMediaUrls} characters or fewer together.`)
    : undefined;
}

const maxMediaUrls = 2_048;

function statusOf({ userId, text, source, lang, latitude, longitude, mediaUrls }: PublishStatusRequest) {
  return {
    authorId: userId,
    text,
    source: isBlank(source) ? "Roost" : source,
    lang: lang || null,
    point: latitude === undefined || longitude === undefined ? undefined : { latitude, longitude },
    media: mediaUrls.map(mediumAt),
  };
}

/**
 * The status that a user answers. Locks the user, so that no block can come between this check and the answer.
 * @throws NotFound; PermissionDenied when the user may not read it, and when its author is suspended or has blocked the user
 */
async function getAnsweredStatus(db: Db, key: StatusKey, userId: bigint) {
  await lockProfiles(db, [userId]);
  const status = await getStatus(db, key);
  if (!(await mayRead(db, status, userId))) throw permissionDenied(protectedStatuses);
  return { ...key, screenName: status.screen_name };
}

/**
 * Whether a user may read a status, as this transaction sees it. A repost of a protected author is for readers of that author
 * only, even for the user who made it.
 * @throws NotFound for a repost of a suspended author; PermissionDenied when the status's author, or the author of what it
 * repeats, has blocked the user; PermissionDenied `Suspended` when its author is suspended
 */
async function mayRead(db: Db, status: FoundStatus, userId: bigint): Promise<boolean> {
  if (status.withheld) throw unknownStatus();
  const { repost_of_author_id: original } = status;
  const ofOriginal = original === null || original === userId ? undefined : await getReader(db, userId, original);
  const isRestricted = status.restricted && ofOriginal?.following === false;
  if (status.user_id === userId) return !isRestricted;
  if (status.suspended) throw suspendedUser();
  const reader = await getReader(db, userId, status.user_id);
  if (reader.blocks_viewer || ofOriginal?.blocks_viewer) throw blockedByUser();
  return !isRestricted && canRead({ ...status, ...reader }, userId);
}

/**
 * Appends a status to its author's timeline, whose row it locks last and briefly. Undefined when there is no such author, or when
 * the author's profile does not allow the place.
 */
async function appendStatus(db: Db, status: WithMedia<NewStatus>) {
  return insertStatus(db, await withEntities(db, status));
}

/** A status without what is found in its text. */
type WithMedia<Status> = Omit<Status, "entities" | "words"> & { media: readonly Media[] };

/** A status with its entities and words: looks up the users whom it mentions, if there are any. */
async function withEntities<Status extends Pick<NewStatus, "authorId" | "text"> & Partial<NewStatus>>(
  db: Db,
  { media, ...status }: Status & { media: readonly Media[] },
) {
  const found = findEntities(status.text);
  const users = await listMentionable(
    db,
    found.mentions.map((mention) => mention.screenName),
    status.authorId,
  );
  const words = status.repostOf === undefined ? searchWords(status.text) : undefined;
  return { ...status, entities: composeEntities(status.text, found, users, media), words };
}

/** Deletes one of the actor's own statuses, with its marks and reposts. Any other status is unknown here. */
export async function deleteStatus(ctx: SocialContext, request: DeleteStatusRequest) {
  const { userId, id = 0n } = request;
  const method = PeopleService.method.deleteStatus;
  checkRequest(method.input, request);
  let answer;
  try {
    answer = await writeOnce(ctx, method, request, [userId], async (db) => {
      const removed = await removeStatuses(db, userId, [id]);
      if (removed.length === 0) throw unknownStatus();
      return {};
    });
  } catch (error) {
    // An earlier attempt may have deleted the status and been interrupted before the next step.
    if (error instanceof ConnectError && error.code === Code.NotFound) await finishRemoval(ctx, userId);
    throw error;
  }
  // Also for a repeated request, for the same reason.
  await finishRemoval(ctx, userId);
  return answer;
}

/** Shows one status to a viewer, and the language that its author gave. @throws as `getReadableStatus` */
export async function socialStatus(ctx: SocialContext, request: SocialStatusRequest, viewer: bigint | undefined) {
  checkRequest(SocialStatusRequestSchema, request);
  const row = await getReadableStatus(ctx, request, viewer);
  const status = statusWithUser(row, viewer === undefined ? undefined : row);
  return create(SocialStatusResponseSchema, { results: [status], lang: row.status_lang ?? "" });
}

/** How a request names a status: its author by name, or for internal callers by id. */
type NamedStatus = Pick<SocialStatusRequest, "screenName" | "id"> & { subjectId?: bigint };

/**
 * The status that a request names, as the viewer sees it.
 * @throws NotFound for an unknown status; Unauthenticated or PermissionDenied when the viewer may not read it; PermissionDenied `Suspended`
 */
export async function getReadableStatus(ctx: SocialContext, request: NamedStatus, viewer: bigint | undefined) {
  const authorId = getNamedId(await findNamedUser(ctx, request));
  const row = await loadStatus(ctx.pool, { authorId, id: request.id ?? 0n }, viewer);
  if (row === undefined) throw unknownStatus();
  checkReadable(row, viewer, protectedStatuses);
  const isOfBlocker = row.original_blocks_viewer && row.user_id !== viewer;
  if (isOfBlocker) throw blockedByUser();
  if (row.is_restricted) throw unreadable(viewer, protectedStatuses);
  return row;
}

/** Marks a status as favourite, reposts it, or undoes either; both together or not at all. */
export async function markStatus(ctx: SocialContext, request: MarkStatusRequest) {
  const { userId, id = 0n, favorited, retweeted } = request;
  const author = await findNamedUser(ctx, request);
  const method = PeopleService.method.markStatus;
  checkRequest(method.input, request);
  return writeOnce(ctx, method, request, [userId, ...author.ids], async (db) => {
    const locked = await withStatus(db, userId, { authorId: getNamedId(author), id });
    const { key, status } = locked;
    await checkAllowed(locked, retweeted === true);
    if (favorited !== undefined) await (favorited ? insertFavorite : deleteFavorite)(db, userId, key);
    if (retweeted === true) await repostStatus(db, userId, key, status, ctx.config.statusLength);
    if (retweeted === false) await deleteRepost(db, userId, key);
    return { results: [await show(locked)] };
  });
}

/** A user and a status; the rows of the user and of the status's author are locked. */
interface LockedStatus {
  db: Db;
  user: LockedProfile;
  /** The status as the request names it, which may be a repost. */
  named: FoundStatus;
  /** The status itself; for a repost its original. */
  key: StatusKey;
  status: FoundStatus;
}

/**
 * Locks a user and the author of a status for a write, and returns the status; for a repost its original.
 * @throws NotFound for an unknown status, Unavailable while the user has no profile, Unauthenticated when it is gone
 */
async function withStatus(db: Db, userId: bigint, status: StatusKey): Promise<LockedStatus> {
  const named = await getStatus(db, status);
  const key = originalOf(named);
  const user = (await lockProfiles(db, [userId, key.authorId])).get(userId);
  if (user === undefined) throw await missingActor(db, userId);
  return { db, user, named, key, status: await getStatus(db, key) };
}

function originalOf({ user_id, status_id, repost_of_author_id, repost_of_id }: FoundStatus): StatusKey {
  const isRepost = repost_of_author_id !== null && repost_of_id !== null;
  return isRepost ? { authorId: repost_of_author_id, id: repost_of_id } : { authorId: user_id, id: status_id };
}

async function getStatus(db: Db, key: StatusKey): Promise<FoundStatus> {
  const status = await findStatus(db, key);
  if (status === undefined) throw unknownStatus();
  return status;
}

/**
 * @throws NotFound for a repost of a suspended author, PermissionDenied for what the user may not read, and for a repost of a protected
 * user's status
 */
async function checkAllowed({ db, user, named, status }: LockedStatus, reposts: boolean): Promise<void> {
  const isReadable = (await mayRead(db, named, user.user_id)) && (await mayRead(db, status, user.user_id));
  if (!isReadable) throw permissionDenied(protectedStatuses);
  if (reposts && status.protected) throw permissionDenied(noRepostOfProtected);
}

/**
 * Reposts a status on a user's timeline, once; the rows of the user and of the status's author are locked.
 * @param maxWeight how many weighted characters the repost's text may have
 */
async function repostStatus(
  db: Db,
  userId: bigint,
  key: StatusKey,
  original: FoundStatus,
  maxWeight: number,
): Promise<void> {
  if ((await findRepost(db, userId, key)) !== undefined) return;
  await countRepost(db, key);
  await appendStatus(db, {
    ...repostText(original.screen_name, original.text, maxWeight),
    authorId: userId,
    source: "Roost",
    lang: original.status_lang,
    repostOf: key,
    media: [],
    inReplyTo: undefined,
    point: undefined,
  });
}

/** Deletes a user's repost of a status, if there is one; the rows of both authors are locked. */
async function deleteRepost(db: Db, userId: bigint, key: StatusKey): Promise<void> {
  const id = await findRepost(db, userId, key);
  if (id === undefined) return;
  const deleted = await deleteStatuses(db, [{ authorId: userId, id }]);
  await uncountReposts(db, deleted);
}

/** The named status; its original when it was the user's own repost, which is gone now. */
async function show({ db, user, named, key }: LockedStatus) {
  const namedKey = { authorId: named.user_id, id: named.status_id };
  const row = (await loadStatus(db, namedKey, user.user_id)) ?? (await loadStatus(db, key, user.user_id));
  if (row === undefined) throw new Error("a marked status without a row, though its author's row is locked");
  return statusWithUser(row, row);
}
