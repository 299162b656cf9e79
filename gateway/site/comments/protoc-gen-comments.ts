// A protoc plugin: writes the comments of the proto files to comments.json. The descriptors in generated code carry none.
import { buffer } from "node:stream/consumers";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  CodeGeneratorRequestSchema,
  CodeGeneratorResponse_Feature,
  CodeGeneratorResponseSchema,
} from "@bufbuild/protobuf/wkt";
import { collectComments } from "./collect-comments.ts";

const request = fromBinary(CodeGeneratorRequestSchema, await buffer(process.stdin));
const content = `${JSON.stringify(collectComments(request), null, 2)}\n`;
const response = create(CodeGeneratorResponseSchema, {
  supportedFeatures: BigInt(CodeGeneratorResponse_Feature.PROTO3_OPTIONAL),
  file: [{ name: "comments.json", content }],
});
process.stdout.write(toBinary(CodeGeneratorResponseSchema, response));
