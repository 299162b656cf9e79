import { create } from "@bufbuild/protobuf";
import {
  ImportOutcome,
  type ImportProfilesRequest,
  ImportProfilesRequestSchema,
  ImportProfilesResponseSchema,
} from "../../../../proto/gen/social/v1/import_service_pb.ts";
import { checkImportBatch } from "../../../platform/rules/import-batch.ts";
import { nameKey } from "../../../platform/rules/screen-name.ts";
import type { SocialContext } from "../../context.ts";
import { type ProfileToImport, parseImportedProfile } from "../../domain/imported-profile.ts";
import { onlyFirst } from "../../domain/only-first.ts";
import { upsertImportedProfiles } from "../../store/imports/upsert-imported-profiles.ts";
import { listNameHolders } from "../../store/profiles/list-name-holders.ts";
import { restrictReposts } from "../statuses/mark-reposts.ts";
import { write } from "../write.ts";

/** Stores imported profiles. A bad one is refused, and the others are stored. */
export async function importProfiles(ctx: SocialContext, request: ImportProfilesRequest) {
  checkImportBatch(ImportProfilesRequestSchema, request);
  const once = onlyFirst(request.profiles.map(parseImportedProfile), (profile) => profile.userId.toString());
  const parsed = onlyFirst(once, (profile) => nameKey(profile.screenName));
  const stored = new Map<bigint, { added: boolean }>();
  let waiting = parsed.filter((profile) => typeof profile === "object");
  while (waiting.length > 0) {
    const { rows, taken } = await storeFree(ctx, request.origin, waiting);
    for (const [userId, row] of rows) stored.set(userId, row);
    waiting = taken;
    // One rename may free the name that another one waits for.
    if (rows.size === 0) break;
  }

  const refused = new Set<ProfileToImport | string>(waiting);
  const results = parsed.map((profile) => {
    if (typeof profile === "string") return { outcome: ImportOutcome.REFUSED, refusal: profile };
    if (refused.has(profile)) return { outcome: ImportOutcome.REFUSED, refusal: nameTaken };
    const row = stored.get(profile.userId);
    const defaultedFields = profile.defaulted;
    if (row === undefined) return { outcome: ImportOutcome.UNCHANGED, defaultedFields };
    return { outcome: row.added ? ImportOutcome.ADDED : ImportOutcome.UPDATED, defaultedFields };
  });
  return create(ImportProfilesResponseSchema, { results });
}

const nameTaken = "its screen name belongs to another user";

/**
 * Stores the profiles whose names are free here. The account service decides who has a name; until it reports a change, the name stays
 * with the user who has it.
 * @returns the changed rows, and the profiles whose names others have
 */
async function storeFree(ctx: SocialContext, origin: string, profiles: ProfileToImport[]) {
  const holders = await listNameHolders(
    ctx.pool,
    profiles.map((profile) => nameKey(profile.screenName)),
  );
  const isFree = ({ screenName, userId }: ProfileToImport) => (holders.get(nameKey(screenName)) ?? userId) === userId;
  const free = profiles.filter(isFree);
  const ids = free.map((profile) => profile.userId);
  const rows = await write(ctx, ids, (db) => upsertImportedProfiles(db, origin, free));
  await restrictReposts(ctx, ids);
  return { rows, taken: profiles.filter((profile) => !isFree(profile)) };
}
