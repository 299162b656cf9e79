import { setTimeout as sleep } from "node:timers/promises";
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
import { refuseFields, suspendedActor, unavailable } from "../../platform/errors.ts";
import { type Db, transaction } from "../../platform/postgres/pool.ts";
import { requestIdFault, usedRequestId } from "../../platform/rules/request-rules.ts";
import type { SocialContext } from "../context.ts";
import { contentDigest } from "../domain/digest.ts";
import type { LimitedWrite } from "../limits.ts";
import { findAnswer, insertRequest, storeAnswer } from "../store/requests.ts";
import type { ProfileRow, StatusRow } from "../store/rows.ts";
import { listPrepared } from "../store/shards/list-prepared.ts";
import type { PlainStatus } from "../store/statuses/insert-status.ts";

/**
 * Runs a write in one transaction. After a conflict `work` runs again, so it must not keep anything of an attempt. When to use this and
 * when `writeOnce`: see the README of this service.
 * @param userIds the users whose rows it locks, as far as they are known before
 * @param inBatch is tried first: does the same in one transaction with other writes, or does nothing and resolves to undefined
 * @throws Aborted when it conflicted each time, ResourceExhausted when too many writes wait
 */
export function write<T>(
  ctx: Pick<SocialContext, "pool" | "writes">,
  userIds: readonly bigint[],
  work: (db: Db) => Promise<T>,
  inBatch?: () => Promise<T | undefined>,
): Promise<T> {
  return ctx.writes.run(userIds, (lockTimeoutMs) => transaction(ctx.pool, work, lockTimeoutMs), inBatch);
}

/**
 * Waits until every transaction that is prepared on a worker now has ended. Citus commits a transaction on one worker after the
 * other: it may have released the row of an author already while a repost of this author is not visible yet. A write that
 * changes all reposts of an author therefore has to call this between its commit and the search for them. Does nothing on a database
 * without Citus.
 * @throws Unavailable when one has not ended after `maxWaitMs`, or a worker does not answer
 */
export async function awaitPrepared({ pool, isCluster }: Pick<SocialContext, "pool" | "isCluster">): Promise<void> {
  if (!(await isCluster())) return;
  const end = performance.now() + maxWaitMs;
  let earlier: Set<string> | undefined;
  for (;;) {
    const { names, isComplete } = await listPrepared(pool, 0);
    const left: string[] = earlier === undefined ? names : names.filter((name) => earlier?.has(name));
    if (isComplete && left.length === 0) return;
    if (performance.now() >= end) throw unavailable(new Error("a write is not finished on every worker"));
    // Until a worker answers it is unknown which transactions are prepared on it.
    if (isComplete) earlier = new Set(left);
    await sleep(pauseMs);
  }
}

/** Milliseconds: a transaction usually stays prepared for less than ten. */
const maxWaitMs = 2_000;
const pauseMs = 20;

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
