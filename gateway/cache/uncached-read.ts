import type { Message } from "@bufbuild/protobuf";
import type { Deadline } from "../http/limits/deadline.ts";
import { plainPage } from "../http/replies/page.ts";
import type { CachedRead, ReadOperation } from "./cached-read.ts";

/**
 * A read that asks its service each time. The answer names its state, so its bytes need not be hashed for the entity tag.
 * @param beforeReply is given the answer, and awaited
 */
export function uncachedRead(
  operation: ReadOperation,
  stateOf: (message: Message) => string,
  beforeReply: (message: Message, deadline: Deadline) => Promise<void>,
): CachedRead {
  return (input) => async (_encoding, deadline) => {
    const { message } = await operation.call(input, {}, deadline);
    await beforeReply(message, deadline);
    return plainPage({ bytes: Buffer.from(operation.render(message)), state: stateOf(message) });
  };
}
