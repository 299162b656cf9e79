import { create } from "@bufbuild/protobuf";
import {
  ImportOutcome,
  type ImportProfilesRequest,
  ImportProfilesResponseSchema,
} from "../../../../proto/gen/social/v1/import_service_pb.ts";
import { nameKey } from "../../../platform/rules/screen-name.ts";
import type { SocialContext } from "../../context.ts";
import { checkBatch, onlyFirst } from "../../domain/import-batch.ts";
import { type ProfileToImport, parseImportedProfile } from "../../domain/imported-profile.ts";
import { assertingFound, authorSubject } from "../../domain/subjects.ts";
import { upsertImportedProfiles } from "../../store/imports/upsert-imported-profiles.ts";
import { listNameHolders } from "../../store/profiles/list-name-holders.ts";
import { listNamesEver } from "../../store/profiles/list-names.ts";
import { restrictReposts } from "../statuses/mark-reposts.ts";
import { write } from "../write.ts";

/** Stores imported profiles. A bad one is refused, and the others are stored. */
export async function importProfiles(ctx: SocialContext, request: ImportProfilesRequest) {
  checkBatch("profiles", request.origin, request.profiles);
  const once = onlyFirst(request.profiles.map(parseImportedProfile), (profile) => profile.userId.toString());
  const parsed = onlyFirst(once, (profile) => nameKey(profile.screenName));
  const holders = await listNameHolders(
    ctx.pool,
    parsed.filter(isParsed).map((profile) => nameKey(profile.screenName)),
  );
  const free = parsed.map((profile) => (isParsed(profile) ? unlessTaken(profile, holders) : profile));
  const wanted = free.filter(isParsed);
  const stored = await write(
    ctx,
    wanted.map((profile) => profile.userId),
    async ({ db }) => {
      const rows = await upsertImportedProfiles(db, request.origin, wanted);
      // Also of those that another import has just stored, and of those that belong to others.
      const ids = parsed.filter(isParsed).map((profile) => profile.userId);
      const named = parsed.filter(isParsed).map((profile) => ({ screen_name: profile.screenName }));
      return assertingFound([...named, ...(await listNamesEver(db, ids))].map(authorSubject), rows);
    },
  );
  await restrictReposts(
    ctx,
    wanted.map((profile) => profile.userId),
  );

  const results = free.map((profile) => {
    if (typeof profile === "string") return { outcome: ImportOutcome.REFUSED, refusal: profile };
    const row = stored.get(profile.userId);
    if (row === undefined) return { outcome: ImportOutcome.UNCHANGED };
    return { outcome: row.added ? ImportOutcome.ADDED : ImportOutcome.UPDATED };
  });
  return create(ImportProfilesResponseSchema, { results });
}

function isParsed(profile: ProfileToImport | string): profile is ProfileToImport {
  return typeof profile === "object";
}

/** The account service decides who has a name; until it reports a change, the name stays with the user who has it here. */
function unlessTaken(profile: ProfileToImport, holders: ReadonlyMap<string, bigint>): ProfileToImport | string {
  const holder = holders.get(nameKey(profile.screenName));
  return holder === undefined || holder === profile.userId ? profile : "its screen name belongs to another user";
}
