import {
  create,
  type DescMessage,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { Access } from "../../../proto/gen/contract/v1/annotations_pb.ts";
import { accessOf } from "../../platform/connect/access.ts";
import { rpcName } from "../../platform/connect/rpc-names.ts";
import { refuseFields, suspendedActor } from "../../platform/errors.ts";
import { requestIdFault, usedRequestId } from "../../platform/rules/request-id.ts";
import type { SocialContext } from "../context.ts";
import { contentDigest } from "../domain/digest.ts";
import { type Asserted, assertingFound, withAnswer } from "../domain/subjects.ts";
import { findAnswer, insertRequest, storeAnswer } from "../store/requests.ts";
import type { ProfileRow, StatusRow } from "../store/rows.ts";
import type { PlainStatus } from "../store/statuses/insert-statuses.ts";
import { rateLimitsOf } from "./rate-limits-of-writes.ts";
import { type WriteTransaction, write } from "./write.ts";

/** A write that only publishes a status, which is no reply. */
export interface PlainPublication<T> {
  status(): Promise<PlainStatus>;
  answer(row: ProfileRow & StatusRow): Asserted<T>;
}

/**
 * Runs the write of one RPC once for each request id of a user. The answer is stored in the same transaction: the same request again
 * gets that answer and changes nothing, whatever has happened since. A write that fails does not use up its request id. A write
 * that is made counts against the user's rate limits (rate-limits-of-writes.ts); one that fails, or was made before, does not. A suspended
 * user is refused before the work begins, and once more after it, when the user's row is locked; the operator's writes about such a
 * user are not refused.
 * @param userId on whose behalf the request is made; the first of the authors whose rows are locked
 * @param others the other authors, as far as they are known before
 * @param plain the status, for a write that only publishes one: it is published in a batch with others, and by `work` only if the
 * batch does nothing
 * @throws InvalidArgument when the request id is no UUID, or was used for another request; PermissionDenied `Suspended`;
 * ResourceExhausted when the user has made too many such writes
 */
export async function writeOnce<I extends DescMessage, O extends DescMessage>(
  ctx: SocialContext,
  method: DescMethodUnary<I, O>,
  request: MessageShape<I> & { requestId: string },
  userId: bigint,
  others: readonly bigint[],
  work: (tx: WriteTransaction) => Promise<Asserted<MessageInitShape<O>>>,
  plain?: PlainPublication<MessageInitShape<O>>,
): Promise<MessageShape<O>> {
  refuseFields([requestIdFault(request.requestId)]);
  const id = request.requestId.toLowerCase();
  const content = contentDigest({ ...request, requestId: rpcName(method) });
  const bySuspended = accessOf(method).who !== Access.USER;
  const charge = ctx.writeLimits.chargeOf(userId, rateLimitsOf(method, request));
  const answerOf = (asserted: Asserted<MessageInitShape<O>>) => {
    const answer = create(method.output, asserted.answer);
    return { given: withAnswer(asserted, answer), stored: withAnswer(asserted, toBinary(method.output, answer)) };
  };
  /** Why the charge was refused. */
  let refusal: ConnectError | undefined;
  const run = async (tx: WriteTransaction) => {
    // The first lock of the transaction: a repeated request waits here, before it has locked anything that this one needs.
    if (await insertRequest(tx.db, userId, id, content, bySuspended)) {
      if (refusal !== undefined) throw refusal;
      await charge.take();
      const { given, stored } = answerOf(await work(tx));
      if (!(await storeAnswer(tx.db, userId, id, stored, bySuspended))) return refuse();
      return given;
    }
    const earlier = await findAnswer(tx.db, userId, id);
    if (earlier?.digest.equals(content)) {
      // On a cluster a worker may still be committing what the first attempt changed in other users' rows: locking these waits for it.
      await tx.lock(earlier.subjects.flatMap((one) => (one.kind === "viewer" ? [BigInt(one.userId)] : [])));
      await charge.giveBack();
      return assertingFound(earlier.subjects, fromBinary(method.output, earlier.answer));
    }
    if (earlier === undefined) return refuse();
    throw usedRequestId();

    async function refuse(): Promise<never> {
      await tx.subjectsOf([userId]);
      throw suspendedActor();
    }
  };
  const inBatch =
    plain &&
    (async () => {
      refusal = await charge.take().then(() => undefined, refusalOf);
      // Over the limit only a repeated request gets an answer; `run` checks whether it is one.
      if (refusal !== undefined) return undefined;
      const request = { userId, requestId: id, digest: content };
      const status = await plain.status();
      return ctx.publications.publish({ status, request, answerOf: (row) => answerOf(plain.answer(row)) });
    });
  try {
    return await write(ctx, [userId, ...others], run, inBatch);
  } catch (error) {
    await charge.giveBack();
    throw error;
  }
}

function refusalOf(error: unknown): ConnectError {
  if (error instanceof ConnectError && error.code === Code.ResourceExhausted) return error;
  throw error;
}
