import type { ImportedProfile } from "../../../proto/gen/social/v1/import_service_pb.ts";
import type { UserSummary } from "../../../proto/gen/social/v1/statuses_pb.ts";
import { parseCreatedAt } from "../../platform/contract-date.ts";
import { isId, isOriginId } from "../../platform/rules/ids.ts";
import { isScreenName } from "../../platform/rules/screen-name.ts";
import { contentDigest } from "./digest.ts";
import { profileFields } from "./profile-fields.ts";

/** An imported profile: its columns by name, and a digest that tells whether it was imported before. */
export interface ProfileToImport {
  userId: bigint;
  originId: string;
  screenName: string;
  columns: Record<string, string | number | boolean | null>;
  importDigest: Buffer;
  /** The fields that broke a rule and got their default instead. An empty text stands for the default. */
  defaulted: string[];
}

/** Reads an imported profile, or says why it cannot be stored. A field that breaks a rule gets its default. */
export function parseImportedProfile({ userId, originId, profile }: ImportedProfile): ProfileToImport | string {
  if (!isId(userId) || !isOriginId(originId) || profile === undefined) {
    return "it has no user id, no usable original id or no profile";
  }
  // The account service decided who may have a reserved one.
  if (!isScreenName(profile.screenName)) return "its screen name is not usable";
  const createdAt = parseCreatedAt(profile.createdAt);
  if (createdAt === undefined || createdAt.getTime() > Date.now()) return "created_at is not a date in the past";
  const counters = Object.entries(countersOf(profile));
  const fields = Object.entries(profileFields);
  const columns = {
    screen_name: profile.screenName,
    created_at: createdAt.toISOString(),
    ...Object.fromEntries(counters.map(([name, count]) => [name, Math.max(count, 0)])),
    ...Object.fromEntries(
      fields.map(([name, { value, fault, fallback }]) => [name, fault(profile) ? fallback(profile) : value(profile)]),
    ),
  };
  const defaulted = [
    ...counters.filter(([, count]) => count < 0),
    ...fields.filter(([, { fault, value }]) => fault(profile) !== undefined && value(profile) !== ""),
  ].map(([name]) => name);
  return { userId, originId, screenName: profile.screenName, columns, importDigest: contentDigest(columns), defaulted };
}

function countersOf(profile: UserSummary): Record<string, number> {
  return {
    followers_count: profile.followersCount,
    friends_count: profile.friendsCount,
    favourites_count: profile.favouritesCount,
    statuses_count: profile.statusesCount,
  };
}
