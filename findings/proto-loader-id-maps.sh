#!/bin/sh
# The guess: with `longs: String` a client of grpc-js gets the ids of a map<int64, int64> as decimal texts, like any other int64, and a service that
# answers with the map that it got from another passes it on.
# What happens: each key comes as eight characters, one for a byte of the id, whatever `longs` says; looking up an id finds nothing. Such a map that
# is sent on arrives as one entry: key 0, with the value of the last one. There is no error.
# Version and source: @grpc/proto-loader 0.8.1, protobufjs 7.6.6 (the newest that it takes), @grpc/grpc-js 1.14.7. The loader's README says of
# `longs` "The type to use to represent long values" and nothing of maps; that of protobufjs 7 has such keys in valid messages, but its
# src/encoder.js reads each as a decimal number. protobufjs 8.8.1 has both right.
# Why it matters here: internal callers use grpc-js, and counts by id are such a map at first thought. Ours have lists of messages with an id, and
# maps of texts only.
# Needs Node 20 or newer and npm with access to its registry. Exit code 0 while the libraries behave so.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --no-audit --no-fund --loglevel=error --prefix . "@grpc/proto-loader@0.8.1" "protobufjs@7.6.6" "@grpc/grpc-js@1.14.7" >/dev/null
cat >likes.proto <<'PROTO'
syntax = "proto3";
service Likes {
  rpc Count(Question) returns (Counts);
}
message Question {}
message Counts {
  int64 newest = 1;
  map<int64, int64> by_status = 2;
  map<string, int64> by_name = 3;
}
PROTO
cat >try.mjs <<'SCRIPT'
import grpc from "@grpc/grpc-js";
import loader from "@grpc/proto-loader";

const { Likes } = grpc.loadPackageDefinition(loader.loadSync("likes.proto", { keepCase: true, longs: String }));

async function serve(Count) {
  const server = new grpc.Server();
  server.addService(Likes.service, { Count });
  const credentials = grpc.ServerCredentials.createInsecure();
  const port = await new Promise((resolve) => server.bindAsync("127.0.0.1:0", credentials, (_, bound) => resolve(bound)));
  return new Likes(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
}
const ask = (client) => new Promise((resolve, reject) => client.Count({}, (error, answer) => (error ? reject(error) : resolve(answer))));

const ids = ["658411923144015872", "658411923144015873", "658411923144015874"];
const counts = {
  newest: ids[2],
  by_status: { [ids[0]]: 7, [ids[1]]: 8, [ids[2]]: 9 },
  by_name: { [ids[0]]: 7, [ids[1]]: 8, [ids[2]]: 9 },
};
const service = await serve((_, answer) => answer(null, counts));
// Answers with what it was answered.
const relay = await serve((_, answer) => ask(service).then((answered) => answer(null, answered), answer));

const show = (keys) => keys.map((key) => (/^\d+$/.test(key) ? key : Buffer.from(key, "latin1").toString("hex"))).join(" ");
const [direct, relayed] = [await ask(service), await ask(relay)];
for (const [name, answer] of Object.entries({ direct, relayed })) {
  const { newest, by_status, by_name } = answer;
  console.log(`proto-loader 0.8.1, protobufjs 7.6.6, ${name}: newest ${newest}, keys by name ${show(Object.keys(by_name))}`);
  console.log(`  keys by status in hex: ${show(Object.keys(by_status))}, values ${Object.values(by_status).join(" ")}`);
}
const bytesOf = (id) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt(id));
  return bytes.toString("latin1");
};
const keysOf = (map) => JSON.stringify(Object.keys(map));
const isRightElsewhere = [direct, relayed].every(({ newest, by_name }) => newest === ids[2] && keysOf(by_name) === JSON.stringify(ids));
const areBytes = keysOf(direct.by_status) === JSON.stringify(ids.map(bytesOf)) && direct.by_status[ids[0]] === undefined;
const isOne = JSON.stringify(relayed.by_status) === JSON.stringify({ [bytesOf(0)]: "9" });
const asFound = isRightElsewhere && areBytes && isOne;
console.log(asFound ? "As found: keys come as bytes, and a relay loses them." : "CHANGED: it no longer behaves so.");
process.exit(asFound ? 0 : 1);
SCRIPT
timeout 60 node try.mjs
