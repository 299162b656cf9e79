import type { Message } from "@bufbuild/protobuf";
import type { Operation } from "../operations.ts";
import type { KeptRead } from "./kept-read.ts";
import { plainPage } from "./page.ts";

/**
 * A read that asks its service each time. Its answer says which state it shows, so that its bytes need not be hashed for
 * a tag.
 */
export function unkeptRead(operation: Operation, stateOf: (message: Message) => string): KeptRead {
  return (input) => async (_encoding, deadline) => {
    const { message } = await operation.call(input, {}, deadline);
    return plainPage({ bytes: Buffer.from(operation.render(message)), state: stateOf(message) });
  };
}
