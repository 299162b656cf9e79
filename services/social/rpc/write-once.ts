import {
  create,
  type DescMessage,
  type DescMethodUnary,
  fromBinary,
  getOption,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { Access, access } from "../../../proto/gen/contract/v1/annotations_pb.ts";
import { rpcName } from "../../platform/connect/rpc-names.ts";
import { invalidFields } from "../../platform/errors.ts";
import { requestIdFault, usedRequestId } from "../../platform/rules/request-id.ts";
import type { SocialContext } from "../context.ts";
import { digest } from "../domain/digest.ts";
import { suspendedActor } from "../domain/errors.ts";
import { type Asserted, assertingFound, withAnswer } from "../domain/subjects.ts";
import { findAnswer, insertRequest, storeAnswer } from "../store/requests.ts";
import { limitedWrites } from "./limited-writes.ts";
import { type Write, write } from "./write.ts";

/**
 * Runs the write of one RPC once for its request id, which belongs to the user on whose behalf it is made: the answer is
 * stored in the same transaction, and the same request again gets it and does nothing, whatever has happened since.
 * A write that fails leaves its request id free. One that is made takes the allowance of its user (limited-writes.ts); what
 * fails, and what was made before, takes none. What a suspended user asks for is refused before the work begins, and once more
 * behind it, when the user's row is locked; what the operator does with one is not.
 * @param userId on whose behalf the request is made; the first of the authors whose rows are locked
 * @param others the other ones, as far as they are known before
 * @throws InvalidArgument when the request id is no UUID, or was used for another request, PermissionDenied `Suspended`,
 * ResourceExhausted when the user has made too many such writes
 */
export async function writeOnce<I extends DescMessage, O extends DescMessage>(
  ctx: SocialContext,
  method: DescMethodUnary<I, O>,
  request: MessageShape<I> & { requestId: string },
  userId: bigint,
  others: readonly bigint[],
  work: (write: Write) => Promise<Asserted<MessageInitShape<O>>>,
): Promise<MessageShape<O>> {
  const fault = requestIdFault(request.requestId);
  if (fault) throw invalidFields([fault]);
  const id = request.requestId.toLowerCase();
  const content = digest({ ...request, requestId: rpcName(method) });
  const bySuspended = getOption(method, access) !== Access.USER;
  const allowance = ctx.writeLimits.allowance(userId, limitedWrites(method, request));
  const run = async (write: Write) => {
    // The first lock of the transaction, so a twin waits here and holds nothing that this one needs.
    if (await insertRequest(write.db, userId, id, content, bySuspended)) {
      await allowance.take();
      const asserted = await work(write);
      const answer = create(method.output, asserted.answer);
      const stored = withAnswer(asserted, toBinary(method.output, answer));
      if (!(await storeAnswer(write.db, userId, id, stored, bySuspended))) return refuse();
      return withAnswer(asserted, answer);
    }
    const earlier = await findAnswer(write.db, userId, id);
    if (earlier?.digest.equals(content)) {
      await allowance.giveBack();
      return assertingFound(earlier.subjects, fromBinary(method.output, earlier.answer));
    }
    if (earlier === undefined) return refuse();
    throw usedRequestId();

    async function refuse(): Promise<never> {
      await write.subjectsOf([userId]);
      throw suspendedActor();
    }
  };
  try {
    return await write(ctx, [userId, ...others], run);
  } catch (error) {
    await allowance.giveBack();
    throw error;
  }
}
