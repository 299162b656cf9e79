#!/bin/sh
# The guess: a gRPC client whose message is refused before it was sent whole sees the same under each Node: the status, and a write that ends.
# What happens: the status always comes, but the write of the message succeeds under Node 20 and 26 and fails with ECANCELED under 22 and 24.
# The server resets the stream without an error after its answer, as RFC 9113 §8.1 allows.
# Version and source: @connectrpc/connect-node 2.3.0 (server) with node:http2 of 24.21.0 and 26.10.0, from the npm package `node`.
# Why it matters here: the services refuse messages that are too long so; a client has to judge by the status and not by its write.
# Needs Node 20 or newer and npm with access to its registry. Exit code 0 while the libraries behave so.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --no-audit --no-fund --loglevel=error --prefix . "@connectrpc/connect@2.3.0" "@connectrpc/connect-node@2.3.0" "@bufbuild/protobuf@2.17.0" >/dev/null
for version in 24.21.0 26.10.0; do
  npm install --no-audit --no-fund --loglevel=error --prefix "node-$version" "node@$version" >/dev/null
done
cat >try.mjs <<'SCRIPT'
import http2 from "node:http2";
import { once } from "node:events";
import { create, createFileRegistry } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema, file_google_protobuf_empty } from "@bufbuild/protobuf/wkt";
import { connectNodeAdapter } from "@connectrpc/connect-node";

// A service with one method, from Empty to Empty, that takes messages of up to 4 MiB.
const [dependency, empty] = ["google/protobuf/empty.proto", ".google.protobuf.Empty"];
const method = [{ name: "Take", inputType: empty, outputType: empty }];
const service = [{ name: "Desk", method }];
const file = create(FileDescriptorProtoSchema, { name: "desk.proto", package: "desk", syntax: "proto3", dependency: [dependency], service });
const Desk = createFileRegistry(file, () => file_google_protobuf_empty).getService("desk.Desk");
const routes = (router) => void router.service(Desk, { take: () => ({}) });
const server = http2.createServer(connectNodeAdapter({ routes, readMaxBytes: 4 << 20 }));
await once(server.listen(0, "127.0.0.1"), "listening");

const session = http2.connect(`http://127.0.0.1:${server.address().port}`);
const stream = session.request({ ":method": "POST", ":path": "/desk.Desk/Take", "content-type": "application/grpc", te: "trailers" });
const size = 5 << 20;
const head = Buffer.alloc(5);
head.writeUInt32BE(size, 1);
stream.write(head);
const written = new Promise((resolve) => stream.write(Buffer.alloc(size), (error) => resolve(error?.code ?? "written")));
stream.resume();
const [trailers] = await once(stream, "trailers");
console.log(`Node ${process.version}: grpc-status ${trailers["grpc-status"]}, the message: ${await written}`);
process.exit();
SCRIPT
for version in 24.21.0 26.10.0; do timeout 60 "node-$version/node_modules/.bin/node" try.mjs; done | tee seen
grep -qx "Node v24.21.0: grpc-status 8, the message: ECANCELED" seen
grep -qx "Node v26.10.0: grpc-status 8, the message: written" seen
