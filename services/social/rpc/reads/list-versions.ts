import { create } from "@bufbuild/protobuf";
import {
  type ListVersionsRequest,
  ListVersionsRequestSchema,
  ListVersionsResponseSchema,
} from "../../../../proto/gen/social/v1/version_service_pb.ts";
import { refuseFields } from "../../../platform/errors.ts";
import { tooManyEntries } from "../../../platform/max-entries.ts";
import { isScreenName, nameKey } from "../../../platform/rules/screen-name.ts";
import type { SocialContext } from "../../context.ts";
import { listNameHolders } from "../../store/profiles/list-name-holders.ts";
import {
  type AuthorVersions,
  listAuthorVersions,
  listRowVersions,
  listViewerVersions,
} from "../../store/versions/list-row-versions.ts";
import { absentVersion, suspendedVersion, unknownVersion, type VersionsRow, versionOf } from "../../views/version.ts";
import { findByNames } from "../find-by-names.ts";

/** The versions of authors and viewers. Reads the primary, like everything here: a replica may lag behind a write. */
export async function listVersions(ctx: SocialContext, request: ListVersionsRequest) {
  refuseFields([tooManyEntries(ListVersionsRequestSchema, request)]);
  const { screenNames, viewerIds } = request;
  const keys = screenNames.map((name) => (isScreenName(name) ? nameKey(name) : ""));
  const { authors, viewers } = await findRows(ctx, keys, viewerIds);
  return create(ListVersionsResponseSchema, {
    versions: keys.map((key) => authorVersion(authors.get(key))),
    viewerVersions: viewerIds.map((id) => viewerVersion(viewers.get(id))),
  });
}

/** The rows of authors by name key and of viewers by id. */
async function findRows(ctx: SocialContext, keys: readonly string[], viewerIds: readonly bigint[]) {
  const { pool } = ctx;
  const names = [...new Set(keys.filter((key) => key !== ""))];
  if (!(await ctx.isCluster())) return listRowVersions(pool, names, viewerIds);
  const [authors, viewers] = await Promise.all([
    findByNames(
      ctx,
      names,
      (names, userIds) => listAuthorVersions(pool, names, userIds),
      (names) => listNameHolders(pool, names),
    ),
    viewerIds.length === 0 ? new Map<bigint, VersionsRow>() : listViewerVersions(pool, viewerIds),
  ]);
  return { authors, viewers };
}

function authorVersion(row: AuthorVersions | undefined): string {
  if (row === undefined) return unknownVersion;
  return row.suspended ? suspendedVersion : versionOf(row);
}

function viewerVersion(row: VersionsRow | undefined): string {
  return row === undefined ? absentVersion : versionOf(row);
}
