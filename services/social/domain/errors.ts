import { conflict, invalid, notFound, permissionDenied, unauthenticated } from "../../platform/errors.ts";

export function unknownUser() {
  return notFound("There is no user with that id.");
}

export function unknownScreenName() {
  return notFound("There is no user of that name.");
}

export function unknownStatus() {
  return notFound("There is no such status.");
}

/** The user of the request is suspended by the operator. */
export function suspendedUser() {
  return permissionDenied("This user is suspended.", "Suspended");
}

/** The user of the request has blocked the caller. */
export function blockedByUser() {
  return permissionDenied("This user has blocked you.");
}

/** Neither of two users can follow the other while one of them blocks the other. */
export function blockBetween() {
  return permissionDenied("There is a block between you and this user.");
}

/** The actor follows, and asks to follow, as many users as one may (MAX_FOLLOWS). */
export function tooManyFollows(limit: number) {
  return permissionDenied(`You can follow at most ${limit} users, requests included.`, "LimitReached");
}

/** A read that only approved followers may make: Unauthenticated for anonymous callers, PermissionDenied for viewers. */
export function unreadable(viewer: bigint | undefined, message: string) {
  return viewer === undefined ? unauthenticated(message) : permissionDenied(message);
}

export function badUserId() {
  return invalid("userId", "InclusiveBetween", "'User Id' must be an id.");
}

/** The profile has another version than the caller knows. */
export function otherVersion(version: bigint) {
  return conflict(`The profile was changed by another request: its version is ${version}.`);
}

export const protectedStatuses = "The statuses of a protected user are for approved followers.";

export const noRepostOfProtected = "The statuses of a protected user cannot be reposted.";

export const noGeo = "The author's profile does not allow places on statuses.";
