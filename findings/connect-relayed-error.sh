#!/bin/sh
# The guess: a handler that calls another service and lets the ConnectError pass relays all of it: code, text, details and metadata.
# What happens: code and text arrive at the first caller, the metadata (headers such as retry-after) does not. The same error thrown by
# the handler itself carries it.
# Version and source: @connectrpc/connect and connect-node 2.3.0.
# Why it matters here: a refusal of the rate limits says when to come back in a header. The gateway reads it from the error of its own call;
# a service that passes a refusal on has to copy the header.
# Needs Node 20 or newer and npm with access to its registry. Exit code 0 while the libraries behave so.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --no-audit --no-fund --loglevel=error --prefix . "@connectrpc/connect@2.3.0" "@connectrpc/connect-node@2.3.0" "@bufbuild/protobuf@2.17.0" >/dev/null
cat >try.mjs <<'SCRIPT'
import http from "node:http";
import { once } from "node:events";
import { create, createFileRegistry } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema, file_google_protobuf_empty } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { connectNodeAdapter, createConnectTransport } from "@connectrpc/connect-node";

// A service with one method, from Empty to Empty.
const [dependency, empty] = ["google/protobuf/empty.proto", ".google.protobuf.Empty"];
const method = [{ name: "Wait", inputType: empty, outputType: empty }];
const service = [{ name: "Desk", method }];
const file = create(FileDescriptorProtoSchema, { name: "desk.proto", package: "desk", syntax: "proto3", dependency: [dependency], service });
const Desk = createFileRegistry(file, () => file_google_protobuf_empty).getService("desk.Desk");

async function serve(wait) {
  const server = http.createServer(connectNodeAdapter({ routes: (router) => void router.service(Desk, { wait }) }));
  await once(server.listen(0, "127.0.0.1"), "listening");
  return createClient(Desk, createConnectTransport({ baseUrl: `http://127.0.0.1:${server.address().port}`, httpVersion: "1.1" }));
}
const inner = await serve(() => {
  throw new ConnectError("come back later", Code.ResourceExhausted, { "retry-after": "7" });
});
const outer = await serve(() => inner.wait({}));
const refusal = (desk) => desk.wait({}).catch((error) => [Code[error.code], error.rawMessage, error.metadata.get("retry-after")]);
const [direct, relayed] = [await refusal(inner), await refusal(outer)];
console.log("connect-node 2.3.0, direct: ", direct);
console.log("connect-node 2.3.0, relayed:", relayed);
process.exit(direct[2] === "7" && relayed[2] === null && relayed[0] === direct[0] && relayed[1] === direct[1] ? 0 : 1);
SCRIPT
timeout 60 node try.mjs
