import { type DescMessage, type Message, toBinary } from "@bufbuild/protobuf";
import type { Operation } from "../../operations/operation-table.ts";
import { compileTranscoder } from "../../rendering/compile-transcoder.ts";

/** A sample of a request and its reply, as they go over the wire, indented for people. */
export interface Exchange {
  request: string;
  reply: string;
}

/** Writes the samples of an operation as real replies are written. */
export function writeExchange({ method }: Operation, sample: (of: DescMessage) => Message): Exchange {
  const written = (message: DescMessage) => {
    const json = compileTranscoder(message)(toBinary(message, sample(message)));
    return JSON.stringify(JSON.parse(json.toString()), null, 2);
  };
  return { request: written(method.input), reply: written(method.output) };
}
