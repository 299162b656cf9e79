#!/bin/sh
# The guess: a deadline that the client library takes is one that the server library of the same release takes.
# What happens: a timeoutMs with a fraction, such as the rest of a budget by performance.now(), is sent as it is, and every handler refuses
# the call with InvalidArgument before it runs; the work is not done, and a retry fails alike.
# Version and source: @connectrpc/connect and connect-node 2.3.0; the protocol has Connect-Timeout-Ms as up to ten digits.
# Why it matters here: the gateway gives each call the time that is left, so services/platform/connect/client.ts rounds the header up.
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

const server = http.createServer(connectNodeAdapter({ routes: (router) => void router.service(Desk, { wait: () => ({}) }) }));
await once(server.listen(0, "127.0.0.1"), "listening");
const desk = createClient(Desk, createConnectTransport({ baseUrl: `http://127.0.0.1:${server.address().port}`, httpVersion: "1.1" }));
const outcome = (timeoutMs) => desk.wait({}, { timeoutMs }).then(() => "answered", (error) => `${Code[error.code]}: ${error.rawMessage}`);
const [whole, fraction] = [await outcome(5000), await outcome(1234.5)];
console.log(`connect-node 2.3.0, timeoutMs 5000: ${whole}`);
console.log(`connect-node 2.3.0, timeoutMs 1234.5: ${fraction}`);
process.exit(whole === "answered" && fraction.startsWith("InvalidArgument") ? 0 : 1);
SCRIPT
timeout 60 node try.mjs
