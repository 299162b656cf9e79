import {
  create,
  type DescMessage,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { rpcName } from "../../platform/connect/rpc-names.ts";
import { invalid, invalidFields } from "../../platform/errors.ts";
import type { SocialContext } from "../context.ts";
import { digest } from "../domain/digest.ts";
import { requestIdFault } from "../domain/request-id.ts";
import { findAnswer, insertRequest, storeAnswer } from "../store/requests.ts";
import { type Write, write } from "./write.ts";

/**
 * Runs the write of one RPC once for its request id, which belongs to the user on whose behalf it is made: the answer is
 * stored in the same transaction, and the same request again gets it and does nothing, whatever has happened since.
 * A write that fails leaves its request id free.
 * @throws InvalidArgument when the request id is no UUID, or was used for another request
 */
export async function writeOnce<I extends DescMessage, O extends DescMessage>(
  ctx: SocialContext,
  method: DescMethodUnary<I, O>,
  request: MessageShape<I> & { requestId: string },
  userId: bigint,
  work: (write: Write) => Promise<MessageInitShape<O>>,
): Promise<MessageShape<O>> {
  const fault = requestIdFault(request.requestId);
  if (fault) throw invalidFields([fault]);
  const id = request.requestId.toLowerCase();
  const content = digest({ ...request, requestId: rpcName(method) });
  return write(ctx, async (write) => {
    // The first lock of the transaction, so a twin waits here and holds nothing that this one needs.
    if (await insertRequest(write.db, userId, id, content)) {
      const answer = create(method.output, await work(write));
      await storeAnswer(write.db, userId, id, toBinary(method.output, answer));
      return answer;
    }
    const earlier = await findAnswer(write.db, userId, id);
    if (earlier?.digest.equals(content)) {
      // Its first attempt may have been cut off between the commit and the announcement.
      if (earlier.screen_name !== null) write.changed({ screen_name: earlier.screen_name });
      return fromBinary(method.output, earlier.answer);
    }
    throw invalid("requestId", "Equal", "'Request Id' was used for another request.");
  });
}
