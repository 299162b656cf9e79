import type { DescMessage, Message } from "@bufbuild/protobuf";
import type { ConnectError } from "@connectrpc/connect";
import { type BadField, badField, refuseFields, signInFirst, unavailable } from "../../platform/errors.ts";
import type { Db } from "../../platform/postgres/pool.ts";
import { fieldLabel } from "../../platform/rules/field-rules.ts";
import { compileRules, inFieldOrder } from "../../platform/rules/request-rules.ts";
import { isScreenName } from "../../platform/rules/screen-name.ts";
import { holdsNul } from "../../platform/storable.ts";
import type { SocialContext } from "../context.ts";
import { badCursor } from "../domain/cursors.ts";
import { unknownScreenName } from "../domain/errors.ts";
import { findUserId } from "../store/profiles/name-holders.ts";
import { isRemoved } from "../store/profiles/removed-profile.ts";

/**
 * Checks a request of PeopleService by the rules of its message.
 * @param others further faults, of rules that the proto file cannot express
 * @throws InvalidArgument naming every bad field, once, in the order of the message
 */
export function checkRequest(
  desc: DescMessage,
  request: Message,
  others: readonly (BadField | undefined)[] = [],
): void {
  refuseFields(inFieldOrder(desc, [...compileRules(desc)(request), ...nulFaults(desc, request), ...others]));
}

/**
 * Checks a request with its cursor, and gives what the cursor says; undefined for the beginning of the list.
 * @param read gives "bad" for a text that no page of this list named
 * @throws InvalidArgument as checkRequest does
 */
export function checkedCursor<Position>(
  desc: DescMessage,
  request: Message & { cursor: string },
  read: (cursor: string) => Position | "bad",
): Position | undefined {
  const position = request.cursor === "" ? undefined : read(request.cursor);
  checkRequest(desc, request, [position === "bad" ? badCursor() : undefined]);
  return position as Position | undefined;
}

/** Texts with a NUL character, which Postgres does not store. The gateway binds none, but other callers may send them. */
function nulFaults({ fields }: DescMessage, request: Message): BadField[] {
  return fields
    .filter(({ localName }) => holdsNul((request as unknown as Record<string, unknown>)[localName]))
    .map(({ jsonName }) =>
      badField(jsonName, "RegularExpression", `'${fieldLabel(jsonName)}' is not in the correct format.`),
    );
}

/** The user whom a request names. Looked up before the write begins, so that the write waits in that user's queue as well. */
export interface NamedUser {
  /** Empty when no user has that name; an id may be unknown, too. */
  ids: readonly bigint[];
}

/** Looks a screen name up, unless an internal caller gives the id; no user has an invalid name. */
export async function findNamedUser(
  { pool }: SocialContext,
  { screenName, subjectId }: { screenName: string; subjectId?: bigint },
): Promise<NamedUser> {
  if (subjectId !== undefined) return { ids: [subjectId] };
  const id = isScreenName(screenName) ? await findUserId(pool, screenName) : undefined;
  return { ids: id === undefined ? [] : [id] };
}

/** The id of a named user. @throws NotFound when no user has the name */
export function getNamedId({ ids: [id] }: NamedUser): bigint {
  if (id !== undefined) return id;
  throw unknownScreenName();
}

/**
 * The error for an actor without a profile: Unavailable for a user who has just registered, whose profile will follow (contract
 * §6); Unauthenticated for a deleted user, whose session ended after the request came in.
 */
export async function missingActor(db: Db, userId: bigint): Promise<ConnectError> {
  return (await isRemoved(db, userId)) ? signInFirst() : unavailable();
}
