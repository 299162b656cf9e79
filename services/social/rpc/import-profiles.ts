import { create } from "@bufbuild/protobuf";
import {
  ImportOutcome,
  type ImportProfilesRequest,
  ImportProfilesResponseSchema,
} from "../../../proto/gen/social/v1/import_service_pb.ts";
import type { SocialContext } from "../context.ts";
import { checkBatch, onlyFirst } from "../domain/import-batch.ts";
import { parseImportedProfile } from "../domain/imported-profile.ts";
import { upsertImportedProfiles } from "../store/upsert-imported-profiles.ts";

/** Stores imported profiles, each for itself: a bad one is refused and the rest go in. */
export async function importProfiles(ctx: SocialContext, request: ImportProfilesRequest) {
  checkBatch("profiles", request.origin, request.profiles);
  const parsed = onlyFirst(request.profiles.map(parseImportedProfile), (profile) => profile.userId.toString());
  const profiles = parsed.filter((profile) => typeof profile === "object");
  const changed = await upsertImportedProfiles(ctx.pool, request.origin, profiles);

  const results = parsed.map((profile) => {
    if (typeof profile === "string") return { outcome: ImportOutcome.REFUSED, refusal: profile };
    const added = changed.get(profile.userId);
    if (added === undefined) return { outcome: ImportOutcome.UNCHANGED };
    return { outcome: added ? ImportOutcome.ADDED : ImportOutcome.UPDATED };
  });
  return create(ImportProfilesResponseSchema, { results });
}
