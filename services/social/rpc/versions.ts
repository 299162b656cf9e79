import { create } from "@bufbuild/protobuf";
import {
  type ListRelationDigestsRequest,
  ListRelationDigestsResponseSchema,
  type ListVersionsRequest,
  ListVersionsRequestSchema,
  ListVersionsResponseSchema,
} from "../../../proto/gen/social/v1/version_service_pb.ts";
import { refuseFields } from "../../platform/errors.ts";
import { tooManyEntries } from "../../platform/max-entries.ts";
import { isScreenName, nameKey } from "../../platform/rules/screen-name.ts";
import type { SocialContext } from "../context.ts";
import { listRelationDigestRows } from "../store/graph/list-relation-digests.ts";
import { listNameHolders } from "../store/profiles/name-holders.ts";
import { type AuthorVersions, listAuthorVersions, listRowVersions, listViewerVersions } from "../store/versions.ts";
import {
  absentVersion,
  suspendedVersion,
  unknownVersion,
  type VersionsRow,
  versionOf,
  viewerVersionOf,
} from "../views/version.ts";
import { findByNames } from "./find-users.ts";

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

/** The relation digest of a viewer and each user. Reads the primary: a replica may lag behind a write. */
export async function listRelationDigests(ctx: SocialContext, { viewerId }: ListRelationDigestsRequest) {
  const found = await listRelationDigestRows(ctx.pool, viewerId, maxFacts);
  if (found?.digests === undefined) return create(ListRelationDigestsResponseSchema);
  const viewer = { viewer_version: found.viewer_version, viewer_epoch: found.epoch };
  return create(ListRelationDigestsResponseSchema, {
    viewerVersion: viewerVersionOf(viewerId, viewer) ?? "",
    digests: found.digests.map(({ user_id: userId, digest }) => ({ userId, digest })),
  });
}

/**
 * The most relations and marks of one viewer that are read, which takes Postgres some milliseconds. The replies to a viewer with
 * more are cached by the viewer's whole state.
 */
const maxFacts = 5_000;
