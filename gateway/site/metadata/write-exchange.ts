import type { Message } from "@bufbuild/protobuf";
import type { Operation } from "../../operations/operation-table.ts";
import { compileWriter } from "../../rendering/compile-writer.ts";

/** A sample of a request and its reply, as they go over the wire, indented for people. */
export interface Exchange {
  request: string;
  reply: string;
}

/** Writes the samples of an operation with the writers of real replies. */
export function writeExchange({ method, render }: Operation, sample: (of: typeof method.input) => Message): Exchange {
  return {
    request: indented(compileWriter(method.input)(sample(method.input))),
    reply: indented(render(sample(method.output))),
  };
}

function indented(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 2);
}
