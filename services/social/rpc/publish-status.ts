import { create } from "@bufbuild/protobuf";
import {
  type PublishStatusRequest,
  PublishStatusResponseSchema,
} from "../../../proto/gen/social/v1/status_service_pb.ts";
import { failedPrecondition, invalid, notFound } from "../../platform/errors.ts";
import { violatedUnique } from "../../platform/postgres/failures.ts";
import type { SocialContext } from "../context.ts";
import { composeEntities } from "../domain/compose-entities.ts";
import { digest } from "../domain/digest.ts";
import { findEntities } from "../domain/entities/find-entities.ts";
import { parseStatusDraft, type StatusDraft } from "../domain/status-draft.ts";
import { findStatus, type StatusKey } from "../store/find-status.ts";
import { insertStatus, statusRequestKey } from "../store/insert-status.ts";
import { listMentionable } from "../store/list-mentionable.ts";
import { listProfiles } from "../store/list-profiles.ts";
import { loadPublished } from "../store/load-published.ts";
import type { ProfileRow, StatusRow } from "../store/rows.ts";
import { statusView } from "../views/status.ts";
import { userSummary } from "../views/user-summary.ts";

/** Appends a status to its author's timeline; a repeated request returns the status that it published before. */
export async function publishStatus(ctx: SocialContext, request: PublishStatusRequest) {
  const draft = parseStatusDraft(request);
  const requestDigest = digest(draft);
  const row = await publish(ctx, draft, requestDigest);
  const status = statusView(row);
  status.user = userSummary(row);
  return create(PublishStatusResponseSchema, { status });
}

async function publish(ctx: SocialContext, draft: StatusDraft, requestDigest: Buffer): Promise<ProfileRow & StatusRow> {
  const earlier = await findPublished(ctx, draft, requestDigest);
  if (earlier !== undefined) return earlier;
  const inReplyTo = draft.inReplyTo && (await getReplyTarget(ctx, draft.inReplyTo));
  const found = findEntities(draft.text);
  const users = await listMentionable(
    ctx.pool,
    found.mentions.map((mention) => mention.screenName),
  );
  const entities = composeEntities(draft.text, found, users, draft.media);
  try {
    const request = { id: draft.requestId, digest: requestDigest };
    return await appendStatus(ctx, { ...draft, request, repostOf: undefined, truncated: false, inReplyTo, entities });
  } catch (error) {
    // The same request twice at the same time: the other one was first.
    const same = violatedUnique(error) === statusRequestKey && (await findPublished(ctx, draft, requestDigest));
    if (same) return same;
    throw error;
  }
}

async function findPublished(ctx: SocialContext, { authorId, requestId }: StatusDraft, requestDigest: Buffer) {
  const row = await loadPublished(ctx.pool, authorId, requestId);
  if (row && !row.request_digest.equals(requestDigest)) {
    throw invalid("requestId", "AlreadyExists", "'Request Id' was used for another status.");
  }
  return row;
}

async function getReplyTarget(ctx: SocialContext, key: StatusKey) {
  const target = await findStatus(ctx.pool, key);
  if (target === undefined) throw failedPrecondition("The status to reply to does not exist.");
  return { ...key, screenName: target.screen_name };
}

async function appendStatus(ctx: SocialContext, status: Parameters<typeof insertStatus>[1]) {
  const row = await insertStatus(ctx.pool, status);
  if (row !== undefined) return row;
  const [author] = await listProfiles(ctx.pool, [status.authorId], []);
  if (author === undefined) throw notFound("There is no user with that id.");
  throw failedPrecondition("The author's profile does not allow places on statuses.");
}
