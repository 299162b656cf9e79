import { type DescMethodUnary, type Message, toBinary } from "@bufbuild/protobuf";
import { createClient, type Transport } from "@connectrpc/connect";
import { ReadService } from "../../proto/gen/reads/v1/read_service_pb.ts";
import { rpcName } from "../../services/platform/connect/rpc-names.ts";
import type { Histogram } from "../../services/platform/metrics/instruments.ts";
import { compileSize } from "../../services/platform/rules/field-rules.ts";
import { fieldNamed, type Values } from "../../services/platform/rules/request-rules.ts";
import { millisecondsUntil } from "../http/limits/deadline.ts";
import { createGroups } from "./group.ts";
import { type RawCall, type RawReply, rawCall } from "./raw-call.ts";

/**
 * Calls an RPC as rawCall does, but together for requests that come in one turn of the event loop or while other calls are under way: one
 * ReadMany, which answers each as if it had come alone.
 * @param groupedBy the request field that says how much a reply holds at most
 * @throws Error for a field that does not exist
 */
export function groupedCall(
  method: DescMethodUnary,
  transport: Transport,
  groupedBy: string,
  keysInGroup: Histogram | undefined,
): RawCall {
  const callAlone = rawCall(method, transport);
  const { readMany } = createClient(ReadService, transport);
  const rpc = rpcName(method);
  const sizeField = fieldNamed(method.input, groupedBy);
  const sizeOf = compileSize(sizeField);
  const callInGroup = createGroups<RawReply, Call>(
    async (calls, deadline) => {
      const alone = ({ request, header }: Call) => callAlone(request, header, deadline);
      if (calls.length === 1) return calls.map(alone);
      const reads = calls.map(({ message, header }) => ({ rpc, message, header }));
      const { answers } = await readMany({ reads }, { timeoutMs: millisecondsUntil(deadline) });
      // What is refused is not answered: alone it gives the error.
      return calls.map((call, index) => {
        const { message: wire, header } = answers[index] ?? {};
        return wire === undefined ? alone(call) : { wire, header: new Headers(header) };
      });
    },
    {
      maxConcurrent,
      textOf: ({ message, header }) => `${Buffer.from(message).toString("latin1")}\n${Object.values(header)}`,
      stalledMs: 250,
      // Bounds the replies that a gateway has in memory before they are sent, and the reads of a call.
      sizeOf: ({ request }) => {
        const size = sizeOf((request as Values)[sizeField.localName] as bigint | undefined);
        return Math.max(size, maxSize / maxReads);
      },
      maxSize,
      keysInGroup,
    },
  );
  return async (request, header, deadline) => {
    const [reply] = await callInGroup([{ request, message: toBinary(method.input, request), header }], deadline);
    return reply as RawReply;
  };
}

interface Call {
  request: Message;
  /** The request in protobuf's wire format. */
  message: Uint8Array;
  header: Record<string, string>;
}

/** Calls under way at once: several, so that no read waits long; few, so that reads share calls. */
const maxConcurrent = 4;
/** What the replies of one call hold together, such as statuses. */
const maxSize = 400;
const maxReads = 200;
