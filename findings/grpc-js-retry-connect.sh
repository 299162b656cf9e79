#!/bin/sh
# The guess: a retry policy in the service config of @grpc/grpc-js retries what a server refuses as UNAVAILABLE, whichever library serves.
# What happens: calls that a Connect server refuses are never retried, and nothing says so. It sends a head and then the status as trailers,
# also where there is no message; by gRPC's rules a call counts as under way once a head has come. A server of grpc-js sends such a status as
# its only head ("Trailers-Only"), and the same client tries again.
# Version and source: @connectrpc/connect-node 2.3.0 (dist/esm/node-universal-handler.js: writeHead() before addTrailers()), @grpc/grpc-js 1.14.7
# (build/src/retrying-call.js, `onReceiveMetadata` commits the call). gRPC over HTTP/2 has "Trailers-Only is permitted for calls that produce an
# immediate error"; gRFC A6 says when retries are valid. connect-go#724 has the same of the Go library.
# Why it matters here: services refuse as Unavailable while a database moves, and callers by gRPC have to repeat such calls in their own code
# (docs/internal-api.md). Sent as head alone through Node's Http2ServerResponse, such an error let grpc-js try again, but Python's grpcio waited
# for its deadline.
# Needs Node 20 or newer and npm with access to its registry. Exit code 0 while the libraries behave so.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --no-audit --no-fund --loglevel=error --prefix . "@connectrpc/connect@2.3.0" "@connectrpc/connect-node@2.3.0" "@bufbuild/protobuf@2.17.0" "@grpc/grpc-js@1.14.7" >/dev/null
cat >try.mjs <<'SCRIPT'
import { once } from "node:events";
import http2 from "node:http2";
import { create, createFileRegistry } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema, file_google_protobuf_empty } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import grpc from "@grpc/grpc-js";

// A service with one method, from Empty to Empty.
const [dependency, empty] = ["google/protobuf/empty.proto", ".google.protobuf.Empty"];
const service = [{ name: "Desk", method: [{ name: "Ask", inputType: empty, outputType: empty }] }];
const file = create(FileDescriptorProtoSchema, { name: "desk.proto", package: "desk", syntax: "proto3", dependency: [dependency], service });
const Desk = createFileRegistry(file, () => file_google_protobuf_empty).getService("desk.Desk");
const path = "/desk.Desk/Ask";
const asIs = (bytes) => bytes;

let calls = 0;
/** Refuses all but each third call. */
const isBusy = () => ++calls % 3 !== 0;

const connectServer = http2.createServer(
  connectNodeAdapter({
    routes: (router) =>
      void router.service(Desk, {
        ask() {
          if (isBusy()) throw new ConnectError("busy", Code.Unavailable);
          return {};
        },
      }),
  }),
);
await once(connectServer.listen(0, "127.0.0.1"), "listening");

const grpcServer = new grpc.Server();
const serialization = { requestSerialize: asIs, requestDeserialize: asIs, responseSerialize: asIs, responseDeserialize: asIs };
grpcServer.addService(
  { ask: { path, requestStream: false, responseStream: false, ...serialization } },
  { ask: (_, answer) => (isBusy() ? answer({ code: grpc.status.UNAVAILABLE, details: "busy" }) : answer(null, Buffer.alloc(0))) },
);
const grpcPort = await new Promise((resolve, reject) =>
  grpcServer.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => (error ? reject(error) : resolve(port))),
);

const retryPolicy = { maxAttempts: 3, initialBackoff: "0.01s", maxBackoff: "0.01s", backoffMultiplier: 1, retryableStatusCodes: ["UNAVAILABLE"] };
const options = { "grpc.service_config": JSON.stringify({ methodConfig: [{ name: [{ service: "desk.Desk" }], retryPolicy }] }) };

/** How often the server was called, and with what outcome. */
async function outcome(port) {
  calls = 0;
  const client = new grpc.Client(`127.0.0.1:${port}`, grpc.credentials.createInsecure(), options);
  const error = await new Promise((resolve) => client.makeUnaryRequest(path, asIs, asIs, Buffer.alloc(0), resolve));
  return `${calls} of 3 calls, ${error?.message ?? "answered"}`;
}
const [byGrpc, byConnect] = [await outcome(grpcPort), await outcome(connectServer.address().port)];
console.log(`server of grpc-js 1.14.7: ${byGrpc}`);
console.log(`server of connect-node 2.3.0: ${byConnect}`);
const asFound = byGrpc === "3 of 3 calls, answered" && byConnect === "1 of 3 calls, 14 UNAVAILABLE: busy";
console.log(asFound ? "As found: what a Connect server refuses is not retried." : "CHANGED: they no longer behave so.");
process.exit(asFound ? 0 : 1);
SCRIPT
timeout 60 node try.mjs
