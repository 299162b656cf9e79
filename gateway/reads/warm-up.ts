import { create, type Message } from "@bufbuild/protobuf";
import { operation as operationOption } from "../../proto/gen/contract/v1/annotations_pb.ts";
import { readOption } from "../../services/platform/read-option.ts";
import { fieldNamed } from "../../services/platform/rules/request-rules.ts";
import { beforeDeadline, deadlineAfter } from "../http/limits/deadline.ts";
import type { ReadOperation } from "./read-operation.ts";
import type { Reads } from "./reads.ts";

/**
 * Makes one read of each cached operation, so that the first request after a start finds open connections, prepared statements
 * and compiled code. Takes two seconds at most, and never rejects: a read that fails has warmed what it reached.
 */
export async function warmUp(operations: readonly ReadOperation[], reads: Reads): Promise<void> {
  const deadline = deadlineAfter(maxMs);
  const cached = operations.filter(({ name }) => reads.has(name));
  const all = cached.map((operation) =>
    beforeDeadline(deadline, reads.prepare(operation.name, readOfOne(operation)).answer("", "identity", deadline)),
  );
  await Promise.allSettled(all);
}

/** The first readers would wait for a service that does not answer as well. */
const maxMs = 2_000;

/** A request for one user; whether that user exists makes no difference. */
function readOfOne({ method }: ReadOperation): Message {
  const field = fieldNamed(method.input, readOption(method, operationOption).cache?.subject ?? "");
  return create(method.input, { [field.localName]: field.fieldKind === "list" ? ["warm_up"] : "warm_up" });
}
