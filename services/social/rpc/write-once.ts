import {
  create,
  type DescMessage,
  type DescMethod,
  type DescMethodUnary,
  fromBinary,
  type Message,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { Access } from "../../../proto/gen/contract/v1/annotations_pb.ts";
import { PeopleService } from "../../../proto/gen/social/people/v1/people_service_pb.ts";
import { accessOf } from "../../platform/connect/access.ts";
import { rpcName } from "../../platform/connect/rpc-names.ts";
import { refuseFields, suspendedActor } from "../../platform/errors.ts";
import type { Db } from "../../platform/postgres/pool.ts";
import { requestIdFault, usedRequestId } from "../../platform/rules/request-id.ts";
import type { SocialContext } from "../context.ts";
import { contentDigest } from "../domain/digest.ts";
import { findAnswer, insertRequest, storeAnswer } from "../store/requests.ts";
import type { ProfileRow, StatusRow } from "../store/rows.ts";
import type { PlainStatus } from "../store/statuses/insert-statuses.ts";
import type { LimitedWrite } from "../write-limits.ts";
import { awaitPrepared, write } from "./write.ts";

/**
 * Runs the write of one RPC once for each request id of a user. The answer is stored in the same transaction: the same request again
 * gets that answer and changes nothing, whatever has happened since. A write that fails does not use up its request id. A write
 * that is made counts against the user's rate limits (`rateLimitsOf`); one that fails, or was made before, does not. A suspended
 * user is refused before the work begins, and once more after it, when the user's row is locked; the operator's writes about such a
 * user are not refused.
 * @param userIds on whose behalf the request is made, then the other users whose rows it locks, as far as they are known before
 * @throws InvalidArgument when the request id is no UUID, or was used for another request; PermissionDenied `Suspended`;
 * ResourceExhausted when the user has made too many such writes
 */
export function writeOnce<I extends DescMessage, O extends DescMessage>(
  ctx: SocialContext,
  method: DescMethodUnary<I, O>,
  request: MessageShape<I> & { requestId: string },
  userIds: readonly [bigint, ...bigint[]],
  work: (db: Db) => Promise<MessageInitShape<O>>,
): Promise<MessageShape<O>> {
  return runOnce(ctx, method, request, userIds, { alone: work });
}

/** A write that publishes a status. */
interface StatusWrite<T> {
  /** The status, if it is no reply. Tried first: it is published in a batch with others, and alone only if the batch does nothing. */
  batched: (() => Promise<PlainStatus>) | undefined;
  /** Publishes it in a transaction of its own. */
  alone(db: Db): Promise<ProfileRow & StatusRow>;
  answer(row: ProfileRow & StatusRow): T;
}

/** The same for a write that publishes a status and nothing else. */
export function publishOnce<I extends DescMessage, O extends DescMessage>(
  ctx: SocialContext,
  method: DescMethodUnary<I, O>,
  request: MessageShape<I> & { requestId: string },
  userId: bigint,
  { batched, alone, answer }: StatusWrite<MessageInitShape<O>>,
): Promise<MessageShape<O>> {
  return runOnce(ctx, method, request, [userId], {
    batched: batched && { status: batched, answer },
    alone: async (db) => answer(await alone(db)),
  });
}

interface Work<T> {
  alone(db: Db): Promise<T>;
  batched?: { status(): Promise<PlainStatus>; answer(row: ProfileRow & StatusRow): T } | undefined;
}

async function runOnce<I extends DescMessage, O extends DescMessage>(
  ctx: SocialContext,
  method: DescMethodUnary<I, O>,
  request: MessageShape<I> & { requestId: string },
  userIds: readonly [bigint, ...bigint[]],
  { alone, batched }: Work<MessageInitShape<O>>,
): Promise<MessageShape<O>> {
  refuseFields([requestIdFault(request.requestId)]);
  const [userId] = userIds;
  const id = request.requestId.toLowerCase();
  const content = contentDigest({ ...request, requestId: rpcName(method) });
  const bySuspended = accessOf(method).who !== Access.USER;
  const charge = ctx.writeLimits.chargeOf(userId, rateLimitsOf(method, request));
  const answerOf = (init: MessageInitShape<O>) => {
    const given = create(method.output, init);
    return { given, stored: toBinary(method.output, given) };
  };
  /** Why the charge was refused. */
  let refusal: ConnectError | undefined;
  const runAlone = async (db: Db) => {
    // The first lock of the transaction: a repeated request waits here, before it has locked anything that this one needs.
    if (await insertRequest(db, userId, id, content, bySuspended)) {
      if (refusal !== undefined) throw refusal;
      await charge.take();
      const { given, stored } = answerOf(await alone(db));
      if (await storeAnswer(db, userId, id, stored, bySuspended)) return given;
      throw suspendedActor();
    }
    const earlier = await findAnswer(db, userId, id);
    if (earlier === undefined) throw suspendedActor();
    if (!earlier.digest.equals(content)) throw usedRequestId();
    // On a cluster a worker may still be committing what the first attempt changed in other users' rows.
    await awaitPrepared(ctx);
    await charge.giveBack();
    return fromBinary(method.output, earlier.answer);
  };
  const inBatch =
    batched &&
    (async () => {
      refusal = await charge.take().then(() => undefined, refusalOf);
      // Over the limit only a repeated request gets an answer; `runAlone` checks whether it is one.
      if (refusal !== undefined) return undefined;
      const status = await batched.status();
      const answered = { userId, requestId: id, digest: content };
      return ctx.publications.publish({ status, request: answered, answerOf: (row) => answerOf(batched.answer(row)) });
    });
  try {
    return await write(ctx, userIds, runAlone, inBatch);
  } catch (error) {
    await charge.giveBack();
    throw error;
  }
}

function refusalOf(error: unknown): ConnectError {
  if (error instanceof ConnectError && error.code === Code.ResourceExhausted) return error;
  throw error;
}

/**
 * The rate limits that a write counts against. Public writes without a limit of their own, also those that undo something, count against a
 * common high limit: each leaves its answer in the database for days.
 */
export function rateLimitsOf(method: DescMethod, request: Message): readonly LimitedWrite[] {
  const limited = kinds.get(method)?.(request) ?? [];
  return limited.length === 0 && method.parent === PeopleService ? ["changes"] : limited;
}

const kinds = new Map<DescMethod, (request: Message) => readonly LimitedWrite[]>([
  counts(PeopleService.method.publishStatus, () => ["statuses"]),
  counts(PeopleService.method.markStatus, ({ favorited, retweeted }) => [
    ...(favorited ? (["marks"] as const) : []),
    ...(retweeted ? (["statuses"] as const) : []),
  ]),
  counts(PeopleService.method.followUser, ({ following }) => (following === false ? [] : ["follows"])),
  counts(PeopleService.method.reportUser, () => ["reports"]),
]);

function counts<I extends DescMessage>(
  method: DescMethodUnary<I>,
  of: (request: MessageShape<I>) => readonly LimitedWrite[],
): [DescMethod, (request: Message) => readonly LimitedWrite[]] {
  return [method, (request) => of(request as MessageShape<I>)];
}
