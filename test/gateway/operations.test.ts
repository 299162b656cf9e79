import { createRouterTransport } from "@connectrpc/connect";
import * as assert from "uvu/assert";
import { deadlineAfter } from "../../gateway/http/limits/deadline.ts";
import { compileOperations } from "../../gateway/operations/operation-table.ts";
import { AccountService } from "../../proto/gen/account/v1/account_service_pb.ts";
import { SocialService } from "../../proto/gen/social/v1/social_service_pb.ts";
import { suite } from "../support/suite.ts";
import { type MadeField, type MadeMethod, makeService } from "./made-descriptors.ts";

const Operations = suite("gateway operations");

const transport = createRouterTransport(() => {});

Operations("finds the public operations in the descriptors, and no internal RPC", () => {
  const operations = compileOperations([AccountService, SocialService].map((service) => ({ service, transport })));
  const table = operations.map(({ name, paths, isRead }) => [name, isRead, ...paths.map((path) => path.route)]);
  assert.equal(table, [
    ["Registration", false, "/register"],
    ["SocialUsers", true, "/social/ids/:UserIds", "/social/:ScreenNames"],
    ["SocialTimelines", true, "/social/:ScreenName/timelines"],
  ]);
});

Operations("calls an RPC by its descriptor only", async () => {
  const request: MadeField[] = [{ name: "given_name", type: "STRING" }];
  const reply: MadeField[] = [{ name: "greeting", type: "STRING" }];
  const service = makeService({ methods: [{ name: "Greet", paths: ["/greet/{GivenName}"] }], request, reply });
  const made = createRouterTransport((router) => {
    const greet = (request: Record<string, unknown>) => ({ greeting: `hello ${request.givenName}` });
    router.service(service, { greet } as object);
  });
  const [greet] = compileOperations([{ service, transport: made }]);
  const answer = await greet!.call(greet!.bind({}, [[["GIVENNAME", "ann"]]]), {}, deadlineAfter(60_000));
  assert.is(greet!.render(answer.wire).toString(), '{"greeting":"hello ann"}');
});

const ask: MadeMethod = { name: "Ask", paths: ["/ask/{Name}"] };
const name: MadeField = { name: "name", type: "STRING" };
type Row = [why: string, methods: MadeMethod[], request: MadeField[], complaint: RegExp];
const faults: Row[] = [
  [
    "a path variable that is not a field",
    [ask],
    [],
    /\{Name\} in \/ask\/\{Name\} is no field of message made\.Request/,
  ],
  ["a path variable that is an internal field", [ask], [{ ...name, isInternal: true }], /\{Name\} in .* is no field/],
  [
    "a field that no request can have",
    [ask],
    [name, { name: "raw", type: "BYTES" }],
    /field made\.Request\.raw is of a kind/,
  ],
  [
    "a field that is the gateway's parameter",
    [ask],
    [name, { name: "callback", type: "STRING" }],
    /has a field "callback"/,
  ],
  ["two operations of one path", [ask, { name: "Tell", paths: ["/ASK/{name}"] }], [name], /the path \/ask\/\{\}/],
  ["two operations of one name", [ask, { name: "ASK", paths: [] }], [name], /the operation ask/],
  ["a streaming RPC", [{ ...ask, isStreaming: true }], [name], /streams/],
  ["a path with a trailing slash", [{ name: "Ask", paths: ["/ask/"] }], [name], /"\/ask\/" is not a path/],
  ["a path with half a variable", [{ name: "Ask", paths: ["/ask/a{Name}"] }], [name], /is not a path/],
  ["a path of the router's own syntax", [{ name: "Ask", paths: ["/ask/:name"] }], [name], /is not a path/],
];
for (const [why, methods, request, complaint] of faults) {
  Operations(`fails at boot on ${why}`, () => {
    const service = makeService({ methods, request });
    assert.throws(() => compileOperations([{ service, transport }]), complaint);
  });
}

Operations.run();
