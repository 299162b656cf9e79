import { create, type Message } from "@bufbuild/protobuf";
import { operation as operationOption } from "../../proto/gen/contract/v1/annotations_pb.ts";
import { readOption } from "../../services/platform/read-option.ts";
import { fieldNamed } from "../../services/platform/rules/request-rules.ts";
import { beforeDeadline, deadlineAfter } from "../http/limits/deadline.ts";
import type { CachedReads, ReadOperation } from "./reads/cached-read.ts";

/**
 * Makes one read of each cached operation, so that the first request after a start finds open connections, prepared statements
 * and compiled code. Takes two seconds at most, and never rejects: a read that fails has warmed what it reached.
 */
export async function warmUp(
  operations: readonly ReadOperation[],
  reads: ReadonlyMap<string, CachedReads>,
): Promise<void> {
  const deadline = deadlineAfter(maxMs);
  const loads = operations.flatMap((operation) => reads.get(operation.name)?.anonymous(readOfOne(operation)) ?? []);
  const all = loads.map(async ({ load }) => beforeDeadline(deadline, Promise.resolve(load("identity", deadline))));
  await Promise.allSettled(all);
}

/** Longer than a social service that has just started delays announcements (1.4 s): the first readers would wait for it as well. */
const maxMs = 2_000;

/** A request for one user; whether that user exists makes no difference. */
function readOfOne({ method }: ReadOperation): Message {
  const field = fieldNamed(method.input, readOption(method, operationOption).cache?.subject ?? "");
  return create(method.input, { [field.localName]: field.fieldKind === "list" ? ["warm_up"] : "warm_up" });
}
