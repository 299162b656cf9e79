import { create } from "@bufbuild/protobuf";
import type { ProfileResult } from "../../../proto/gen/social/v1/profiles_pb.ts";
import {
  SocialService,
  type SocialUsersRequest,
  SocialUsersRequestSchema,
  SocialUsersResponseSchema,
} from "../../../proto/gen/social/v1/social_service_pb.ts";
import { refuseFields } from "../../platform/errors.ts";
import { tooManyEntries } from "../../platform/max-entries.ts";
import { compileFindsNothing } from "../../platform/rules/request-rules.ts";
import { isScreenName, nameKey } from "../../platform/rules/screen-name.ts";
import type { SocialContext } from "../context.ts";
import { canRead } from "../domain/can-read.ts";
import { listProfiles, type ProfileWithStatus } from "../store/profiles/list-profiles.ts";
import { listNameHolders } from "../store/profiles/name-holders.ts";
import { profileResult } from "../views/profile-result.ts";
import { setViewerState, viewerStateOf } from "./viewer-reads.ts";

/** A user, with the requested names that are this user's. */
interface FoundUser {
  user_id: bigint;
  name_keys: string[];
}

/**
 * The users of these ids and these screen names: in the given order, each once, without unknown ones. The number of statements does
 * not depend on the number of users, as long as this process has the ids of the names.
 * @param list gives the users of these ids, each once, in any order
 */
export async function findUsers<User extends FoundUser>(
  ctx: Pick<SocialContext, "knownIds" | "pool">,
  userIds: readonly bigint[],
  screenNames: readonly string[],
  list: (userIds: readonly bigint[], nameKeys: readonly string[]) => Promise<User[]>,
): Promise<User[]> {
  const rows = new Map<bigint, User>();
  let pendingIds = userIds;
  const find = async (nameKeys: readonly string[], holderIds: readonly bigint[]) => {
    const found = await list([...new Set([...pendingIds, ...holderIds])], nameKeys);
    pendingIds = [];
    for (const row of found) rows.set(row.user_id, row);
    return new Map(found.flatMap((row) => row.name_keys.map((key) => [key, row.user_id])));
  };
  const keys = screenNames.filter(isScreenName).map(nameKey);
  const byName = await findByNames(ctx, [...new Set(keys)], find, (nameKeys) => listNameHolders(ctx.pool, nameKeys));
  if (pendingIds.length > 0) await find([], []);
  const asked = new Set([...userIds, ...keys.map((key) => byName.get(key))]);
  return [...asked].flatMap((id) => (id === undefined ? [] : (rows.get(id) ?? [])));
}

/**
 * Runs `find` with these names and the ids of their users, so that only their shards are asked. The ids come from `knownIds`; a name
 * that is not there, or for which `find` gives nothing, is looked up. Names that no user has are left out.
 * @param nameKeys each once
 * @param find returns, by name key, the results for users who have these names and these ids
 * @param lookUp returns the ids of the users who have the names now
 */
export async function findByNames<Found>(
  { knownIds }: Pick<SocialContext, "knownIds">,
  nameKeys: readonly string[],
  find: (nameKeys: readonly string[], userIds: readonly bigint[]) => Promise<Map<string, Found>>,
  lookUp: (nameKeys: readonly string[]) => Promise<Map<string, bigint>>,
): Promise<Map<string, Found>> {
  const known = new Map<string, bigint>();
  for (const key of nameKeys) {
    const id = knownIds.get(key);
    if (id !== undefined) known.set(key, id);
  }
  const found = await findWith(known);
  const outdated = [...known.keys()].filter((key) => !found.has(key));
  return outdated.length === 0 ? found : new Map([...found, ...(await findWith(new Map(), outdated))]);

  async function findWith(ids: Map<string, bigint>, keys = nameKeys) {
    const unknown = keys.filter((key) => !ids.has(key));
    const holders = unknown.length > 0 ? await lookUp(unknown) : new Map<string, bigint>();
    for (const [key, id] of holders) knownIds.set(key, id);
    const userIds = [...ids.values(), ...holders.values()];
    return userIds.length > 0 ? find([...ids.keys(), ...holders.keys()], userIds) : new Map<string, Found>();
  }
}

/** Users as the caller sees them, without suspended ones. All lists of users are made here. */
export function shownUsers(rows: readonly ProfileWithStatus[], viewer: bigint | undefined): ProfileResult[] {
  return rows.filter((row) => !row.suspended).map((row) => profileResult(row, viewer, canRead(row, viewer)));
}

/**
 * Looks users up by id, then by screen name: in the order asked, each once, unknown and suspended ones left out (contract §7).
 * @param header of the reply
 */
export async function socialUsers(
  ctx: SocialContext,
  request: SocialUsersRequest,
  viewer: bigint | undefined,
  header: Headers,
) {
  refuseFields([tooManyEntries(SocialUsersRequestSchema, request)]);
  if (findsNothing(request)) return create(SocialUsersResponseSchema);
  const { userIds, screenNames } = request;
  const list = (ids: readonly bigint[], names: readonly string[]) => listProfiles(ctx.pool, ids, names, viewer);
  const users = await findUsers(ctx, userIds, screenNames, list);
  setViewerState(header, viewerStateOf(viewer, users, users.flatMap(relatedTo)));
  return create(SocialUsersResponseSchema, { results: shownUsers(users, viewer) });
}

/**
 * The user, and the author of the status that the user's newest one repeats. When that status is hidden, the rows were read in
 * several states.
 */
function relatedTo(row: ProfileWithStatus): bigint[] {
  const original = row.status_id === null ? null : row.repost_of_author_id;
  return original === null ? [row.user_id] : [row.user_id, original];
}

const findsNothing = compileFindsNothing(SocialService.method.socialUsers);
