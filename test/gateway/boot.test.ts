import { createRouterTransport } from "@connectrpc/connect";
import * as assert from "uvu/assert";
import { compileOperations } from "../../gateway/operations/operation-table.ts";
import { suite } from "../support/suite.ts";
import { type MadeField, type MadeMethod, makeService } from "./made-descriptors.ts";

const Boot = suite("gateway operations at boot");

const transport = createRouterTransport(() => {});

const ask: MadeMethod = { name: "Ask", paths: ["/ask/{Name}"] };
const name: MadeField = { name: "name", type: "STRING" };
const list: MadeField = { name: "a", type: "STRING", isList: true };
const itself: MadeField = { name: "self", type: "MESSAGE", typeName: ".made.Request" };
const otherFill: MadeField = { name: "one", type: "MESSAGE", typeName: ".made.Reply", fills: "items.self" };
const noSuchFill: MadeField = { name: "a", type: "MESSAGE", typeName: ".made.Request", fills: "b.c" };

type Parts = Partial<Parameters<typeof makeService>[0]>;
type Fault = [why: string, parts: Parts, complaint: RegExp];
const faults: Fault[] = [
  ["a path variable that is not a field", {}, /\{Name\} in \/ask\/\{Name\} is no field of message made\.Request/],
  ["a path variable of an internal field", { request: [{ ...name, isInternal: true }] }, /\{Name\} in .* is no field/],
  ...(["BYTES", "FLOAT", "UINT64"] as const).map(
    (type): Fault => [
      `a request field of type ${type}`,
      asks({ name: "a", type }),
      /made\.Request\.a is of a kind that a public/,
    ],
  ),
  ["a request field in a oneof", asks({ ...list, isList: false, isChoice: true }), /made\.Request\.a is of a kind/],
  ["a list without max_entries", { ...asks(list), maxEntries: 0 }, /made\.Request has a list and no max_entries/],
  ["fields that differ in case only", asks({ ...name, name: "ab" }, { ...name, name: "aB" }), /differ in case only/],
  ["a field that is the gateway's parameter", asks({ ...name, name: "callback" }), /has a field "callback"/],
  ["two operations of one path", asksBy(ask, { name: "Tell", paths: ["/ASK/{name}"] }), /the path \/ask\/\{\}/],
  ["two operations of one name", asksBy(ask, { name: "ASK", paths: [] }), /the operation ask/],
  ["a streaming RPC", asksBy({ ...ask, isStreaming: true }), /streams/],
  ["a path with a trailing slash", asksBy({ name: "Ask", paths: ["/ask/"] }), /"\/ask\/" is not a path/],
  ["a path with half a variable", asksBy({ name: "Ask", paths: ["/ask/a{Name}"] }), /is not a path/],
  ["a path of the router's own syntax", asksBy({ name: "Ask", paths: ["/ask/:name"] }), /is not a path/],
  ["bytes in a reply", tells({ name: "a", type: "BYTES" }), /kind that a public reply cannot have/],
  ["unsigned numbers in a reply", tells({ name: "a", type: "UINT64" }), /kind that a public reply cannot have/],
  ["a fill of an unknown field", tells(noSuchFill), /cannot fill "b.c"/],
  [
    "a fill of another type than its target",
    { ...tells({ ...itself, name: "items", isList: true }, otherFill), request: [name, itself] },
    /cannot fill "items.self"/,
  ],
];
for (const [why, parts, complaint] of faults) {
  Boot(`fail on ${why}`, () => {
    const service = makeService({ methods: [ask], ...parts });
    assert.throws(() => compileOperations([{ service, transport }]), complaint);
  });
}

Boot.run();

function asks(...fields: MadeField[]): Parts {
  return { request: [name, ...fields] };
}

function asksBy(...methods: MadeMethod[]): Parts {
  return { methods, request: [name] };
}

function tells(...reply: MadeField[]): Parts {
  return { request: [name], reply };
}
