import { create } from "@bufbuild/protobuf";
import { CodeGeneratorRequestSchema } from "@bufbuild/protobuf/wkt";
import { createRouterTransport } from "@connectrpc/connect";
import Fastify from "fastify";
import * as assert from "uvu/assert";
import { compileOperations } from "../../gateway/operations/operation-table.ts";
import { collectComments } from "../../gateway/site/comments/collect-comments.ts";
import { addSite } from "../../gateway/site/site-routes.ts";
import { makeService } from "../gateway/made-descriptors.ts";
import { suite } from "../support/suite.ts";

const Boot = suite("discovery: boot");

const transport = createRouterTransport(() => {});

for (const path of ["/docs", "/Docs/{Name}", "/metadata/x", "/OPENAPI.json", "/json/metadata"]) {
  Boot(`fails for an operation at ${path}, which is a path of a page`, () => {
    const methods = [{ name: "Ask", paths: [path] }];
    const service = makeService({ methods, request: [{ name: "name", type: "STRING" }] });
    const operations = compileOperations([{ service, transport }]);
    assert.throws(() => addSite(Fastify(), operations), /is a path of the gateway's own pages/);
  });
}

Boot("collects the comments of services, methods, messages and fields, nested ones too", () => {
  const comment = (path: number[], leadingComments: string) => ({ path, span: [0, 0, 0], leadingComments });
  const file = {
    name: "a.proto",
    package: "a",
    messageType: [{ name: "M", field: [{ name: "f" }, { name: "g" }], nestedType: [{ name: "N" }] }],
    service: [{ name: "S", method: [{ name: "R" }] }],
    sourceCodeInfo: {
      location: [
        comment([4, 0], " A message\n in two lines.\n"),
        comment([4, 0, 2, 1], " The second field.\n"),
        comment([4, 0, 3, 0], " Inside.\n"),
        comment([6, 0], " A service.\n"),
        comment([6, 0, 2, 0], " A method.\n"),
      ],
    },
  };
  const other = { ...file, name: "b.proto", package: "b" };
  const request = create(CodeGeneratorRequestSchema, { protoFile: [file, other], fileToGenerate: ["a.proto"] });
  assert.equal(collectComments(request), {
    "a.M": "A message in two lines.",
    "a.M.N": "Inside.",
    "a.M.g": "The second field.",
    "a.S": "A service.",
    "a.S.R": "A method.",
  });
});

Boot.run();
