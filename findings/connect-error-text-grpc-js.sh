#!/bin/sh
# The guess: the text of an error that a Connect server writes for gRPC is the text that @grpc/grpc-js shows.
# What happens: the server percent-encodes commas, colons and slashes of grpc-message, which gRPC does not ask for, and grpc-js
# decodes none of them: "busy: try, later" is shown as "busy%3A try%2C later".
# Version and source: @connectrpc/connect-node 2.3.0, @grpc/grpc-js 1.14.7; gRPC over HTTP/2 (Status-Message) encodes only what is no
# printable ASCII, and the percent sign.
# Why it matters here: internal callers use grpc-js, and our texts have commas and colons, so services/platform/connect/server.ts writes
# that trailer anew.
# Needs Node 20 or newer and npm with access to its registry. Exit code 0 while the libraries behave so.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --no-audit --no-fund --loglevel=error --prefix . "@connectrpc/connect@2.3.0" "@connectrpc/connect-node@2.3.0" "@bufbuild/protobuf@2.17.0" "@grpc/grpc-js@1.14.7" >/dev/null
cat >try.mjs <<'SCRIPT'
import http2 from "node:http2";
import grpc from "@grpc/grpc-js";
import { once } from "node:events";
import { create, createFileRegistry } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema, file_google_protobuf_empty } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
// A service with one method, from Empty to Empty.
const [dependency, empty] = ["google/protobuf/empty.proto", ".google.protobuf.Empty"];
const method = [{ name: "Wait", inputType: empty, outputType: empty }];
const service = [{ name: "Desk", method }];
const file = create(FileDescriptorProtoSchema, { name: "desk.proto", package: "desk", syntax: "proto3", dependency: [dependency], service });
const Desk = createFileRegistry(file, () => file_google_protobuf_empty).getService("desk.Desk");

const text = "busy: try, later";
const wait = () => {
  throw new ConnectError(text, Code.ResourceExhausted);
};
const server = http2.createServer(connectNodeAdapter({ routes: (router) => void router.service(Desk, { wait }) }));
await once(server.listen(0, "127.0.0.1"), "listening");
const client = new grpc.Client(`127.0.0.1:${server.address().port}`, grpc.credentials.createInsecure());
const shown = await new Promise((resolve) => {
  client.makeUnaryRequest("/desk.Desk/Wait", () => Buffer.alloc(0), (bytes) => bytes, {}, (error) => resolve(error.details));
});
console.log(`written: ${text}`);
console.log(`grpc-js 1.14.7 shows what connect-node 2.3.0 sent: ${shown}`);
process.exit(shown === "busy%3A try%2C later" ? 0 : 1);
SCRIPT
timeout 60 node try.mjs
