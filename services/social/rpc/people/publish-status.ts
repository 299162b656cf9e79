import { PeopleService } from "../../../../proto/gen/social/people/v1/people_service_pb.ts";
import type { PublishStatusRequest } from "../../../../proto/gen/social/people/v1/statuses_pb.ts";
import { type BadField, badField, permissionDenied } from "../../../platform/errors.ts";
import { isLongerThan } from "../../../platform/rules/code-points.ts";
import type { SocialContext } from "../../context.ts";
import { noGeo, protectedStatuses, unknownStatus } from "../../domain/errors.ts";
import { mediumAt } from "../../domain/medium-at.ts";
import { statusTextFault } from "../../domain/status-text.ts";
import { asserting, authorSubject } from "../../domain/subjects.ts";
import { listProfiles } from "../../store/profiles/list-profiles.ts";
import type { ProfileRow, StatusRow } from "../../store/rows.ts";
import { findStatus, originalAuthor } from "../../store/statuses/find-status.ts";
import { statusWithUser } from "../../views/status-with-user.ts";
import { appendStatus } from "../statuses/append-status.ts";
import { mayRead } from "../statuses/may-read.ts";
import { withEntities } from "../statuses/with-entities.ts";
import type { Write } from "../write.ts";
import { writeOnce } from "../write-once.ts";
import { checkRequest } from "./check-request.ts";
import { missingActor } from "./missing-actor.ts";
import { findNamedUser, getNamedId, type NamedUser } from "./named-user.ts";

/** Appends a status to the actor's timeline. */
export async function publishStatus(ctx: SocialContext, request: PublishStatusRequest) {
  const method = PeopleService.method.publishStatus;
  const faults = [statusTextFault(request.text, ctx.config.statusLength), longMediaUrls(request.mediaUrls)];
  checkRequest(method.input, request, faults);
  const { userId, inReplyToScreenName: name } = request;
  const answered = name === "" ? undefined : await findNamedUser(ctx, name);
  const answer = (row: ProfileRow & StatusRow) =>
    asserting([authorSubject(row)], { results: [statusWithUser(row, { notifications: false })] });
  const plain = answered ? undefined : { status: () => withEntities(ctx.pool, statusOf(request)), answer };
  const work = async (write: Write) => {
    const inReplyTo = answered && (await getReplyTarget(write, request, answered));
    return answer(await publish(write, request, inReplyTo));
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

type ReplyTarget = Awaited<ReturnType<typeof getReplyTarget>>;

/** @throws NotFound for an unknown status, PermissionDenied for one that the actor may not read */
async function getReplyTarget(write: Write, request: PublishStatusRequest, answered: NamedUser) {
  const key = { authorId: getNamedId(write, answered), id: request.inReplyToStatusId ?? 0n };
  // So that no block can come between the check and the reply.
  await write.lock([request.userId]);
  const status = await findStatus(write.db, key);
  // A refusal asserts the state of the author, and of the author of the original.
  await write.subjectsOf([key.authorId, ...originalAuthor(status)]);
  if (status === undefined) throw unknownStatus();
  if (!(await mayRead(write.db, status, request.userId))) throw permissionDenied(protectedStatuses);
  return { ...key, screenName: status.screen_name };
}

async function publish(write: Write, request: PublishStatusRequest, inReplyTo: ReplyTarget | undefined) {
  const { userId } = request;
  const row = await appendStatus(write.db, { ...statusOf(request), inReplyTo, repostOf: undefined, truncated: false });
  if (row !== undefined) return row;
  await write.subjectsOf([userId]);
  const [author] = await listProfiles(write.db, [userId], []);
  throw author === undefined ? await missingActor(write.db, userId) : permissionDenied(noGeo);
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
