import { PeopleService } from "../../../../proto/gen/social/people/v1/people_service_pb.ts";
import type { PublishStatusRequest } from "../../../../proto/gen/social/people/v1/statuses_pb.ts";
import { type BadField, badField, permissionDenied } from "../../../platform/errors.ts";
import { isLongerThan } from "../../../platform/rules/code-points.ts";
import type { SocialContext } from "../../context.ts";
import { noGeo, protectedStatuses, unknownStatus } from "../../domain/errors.ts";
import { mediumAt } from "../../domain/medium-at.ts";
import { statusTextFault } from "../../domain/status-text.ts";
import { asserting, authorSubject, type Subject } from "../../domain/subjects.ts";
import { listProfiles } from "../../store/profiles/list-profiles.ts";
import type { ProfileRow, StatusRow } from "../../store/rows.ts";
import { statusWithUser } from "../../views/status-with-user.ts";
import { appendStatus } from "../statuses/append-status.ts";
import { type AnsweredStatus, getAnsweredStatus } from "../statuses/get-answered-status.ts";
import { withEntities } from "../statuses/with-entities.ts";
import type { WriteTransaction } from "../write.ts";
import { writeOnce } from "../write-once.ts";
import { checkRequest } from "./check-request.ts";
import { missingActor } from "./missing-actor.ts";
import { findNamedUser, getNamedId } from "./named-user.ts";

/** Appends a status to the actor's timeline. */
export async function publishStatus(ctx: SocialContext, request: PublishStatusRequest) {
  const method = PeopleService.method.publishStatus;
  const faults = [statusTextFault(request.text, ctx.config.statusLength), longMediaUrls(request.mediaUrls)];
  checkRequest(method.input, request, faults);
  const { userId, inReplyToScreenName: name } = request;
  const answered = name === "" ? undefined : await findNamedUser(ctx, name);
  const answer = (row: ProfileRow & StatusRow, others: readonly Subject[] = []) =>
    asserting([authorSubject(row), ...others], { results: [statusWithUser(row, { notifications: false })] });
  const plain = answered ? undefined : { status: () => withEntities(ctx.pool, statusOf(request)), answer };
  const work = async (tx: WriteTransaction) => {
    const key = answered && { authorId: getNamedId(tx, answered), id: request.inReplyToStatusId ?? 0n };
    const inReplyTo = key && (await getAnsweredStatus(tx, key, userId, refusals));
    return answer(await publish(tx, request, inReplyTo), inReplyTo?.subjects);
  };
  return writeOnce(ctx, method, request, userId, [], work, plain);
}

/** Every address is in five fields of each reply that shows the status, and a page has 200 statuses. */
function longMediaUrls(urls: readonly string[]): BadField | undefined {
  return isLongerThan(urls.join(""), maxMediaUrls)
    ? badField("mediaUrls", "Length", `'Media Urls' must be ${maxMediaUrls} characters or fewer together.`)
    : undefined;
}

const maxMediaUrls = 2_048;

const refusals = { unknown: unknownStatus, unreadable: () => permissionDenied(protectedStatuses) };

async function publish(tx: WriteTransaction, request: PublishStatusRequest, inReplyTo: AnsweredStatus | undefined) {
  const { userId } = request;
  const row = await appendStatus(tx.db, { ...statusOf(request), inReplyTo, repostOf: undefined, truncated: false });
  if (row !== undefined) return row;
  await tx.subjectsOf([userId]);
  const [author] = await listProfiles(tx.db, [userId], []);
  throw author === undefined ? await missingActor(tx.db, userId) : permissionDenied(noGeo);
}

function statusOf({ userId, text, lang, latitude, longitude, mediaUrls }: PublishStatusRequest) {
  return {
    authorId: userId,
    text,
    source: "Roost",
    lang: lang || null,
    point: latitude === undefined || longitude === undefined ? undefined : { latitude, longitude },
    media: mediaUrls.map(mediumAt),
  };
}
