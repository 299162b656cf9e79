import { PeopleService } from "../../../../proto/gen/social/people/v1/people_service_pb.ts";
import type { PublishStatusRequest } from "../../../../proto/gen/social/people/v1/statuses_pb.ts";
import { type BadField, badField, permissionDenied } from "../../../platform/errors.ts";
import { isLongerThan } from "../../../platform/rules/code-points.ts";
import { isBlank } from "../../../platform/rules/field-rules.ts";
import type { SocialContext } from "../../context.ts";
import { noGeo } from "../../domain/errors.ts";
import { mediumAt } from "../../domain/medium-at.ts";
import { statusTextFault } from "../../domain/status-text.ts";
import { listProfiles } from "../../store/profiles/list-profiles.ts";
import { statusWithUser } from "../../views/status-with-user.ts";
import { appendStatus } from "../statuses/append-status.ts";
import { getAnsweredStatus } from "../statuses/get-answered-status.ts";
import { withEntities } from "../statuses/with-entities.ts";
import { publishOnce } from "../write-once.ts";
import { checkRequest } from "./check-request.ts";
import { missingActor } from "./missing-actor.ts";
import { findNamedUser, getNamedId } from "./named-user.ts";

/** Appends a status to the actor's timeline. */
export async function publishStatus(ctx: SocialContext, request: PublishStatusRequest) {
  const method = PeopleService.method.publishStatus;
  const faults = [statusTextFault(request.text, ctx.config.statusLength), longMediaUrls(request.mediaUrls)];
  checkRequest(method.input, request, faults);
  const { userId, inReplyToScreenName: screenName, inReplyToUserId: subjectId } = request;
  const isReply = screenName !== "" || subjectId !== undefined;
  const answered = isReply
    ? await findNamedUser(ctx, { screenName, ...(subjectId !== undefined && { subjectId }) })
    : undefined;
  return publishOnce(ctx, method, request, userId, {
    plain: answered ? undefined : () => withEntities(ctx.pool, statusOf(request)),
    async work(db) {
      const key = answered && { authorId: getNamedId(answered), id: request.inReplyToStatusId ?? 0n };
      const inReplyTo = key && (await getAnsweredStatus(db, key, userId));
      const row = await appendStatus(db, { ...statusOf(request), inReplyTo, repostOf: undefined, truncated: false });
      if (row !== undefined) return row;
      const [author] = await listProfiles(db, [userId], []);
      throw author === undefined ? await missingActor(db, userId) : permissionDenied(noGeo);
    },
    answer: (row) => ({ results: [statusWithUser(row, { notifications: false })] }),
  });
}

/** Every address is in five fields of each reply that shows the status, and a page has 200 statuses. */
function longMediaUrls(urls: readonly string[]): BadField | undefined {
  return isLongerThan(urls.join(""), maxMediaUrls)
    ? badField("mediaUrls", "Length", `'Media Urls' must be ${maxMediaUrls} characters or fewer together.`)
    : undefined;
}

const maxMediaUrls = 2_048;

function statusOf({ userId, text, source, lang, latitude, longitude, mediaUrls }: PublishStatusRequest) {
  return {
    authorId: userId,
    text,
    source: isBlank(source) ? "Roost" : source,
    lang: lang || null,
    point: latitude === undefined || longitude === undefined ? undefined : { latitude, longitude },
    media: mediaUrls.map(mediumAt),
  };
}
