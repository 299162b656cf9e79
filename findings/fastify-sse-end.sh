#!/bin/sh
# The guess: `reply.sse.send()` does the same for a generator and for a Readable of the same events: the reader gets them, the stream ends, the
# reader comes back; and an error of the source is thrown to the handler, whose connection closes when it is done.
# What happens: a generator without an event gives 200 without a content type, and an EventSource does not come back from that. A Readable that
# fails is taken for sent: `send()` resolves, and the stream is never ended, without heartbeats from then on.
# Version and source: @fastify/sse 0.6.0, eventsource 4.1.1. The README has the headers committed by the first call of `send()`, errors of a source
# caught around it, and the connection closed when the handler returns. In index.js only the branch of Readables calls `sendHeaders` before there is
# an event; its `catch` logs and marks the connection as closed, so that `close()` ends nothing.
# Why it matters here: a reader of a live stream comes back by Last-Event-ID, often when nothing was missed. That answer must be an event stream,
# as gateway/live/routes.ts makes it; and a source that fails, such as a cursor of Postgres, has to end it.
# Needs Node 20 or newer and npm with access to its registry. Exit code 0 while the library behaves so.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --no-audit --no-fund --loglevel=error --prefix . "@fastify/sse@0.6.0" "fastify@5.12.8" "eventsource@4.1.1" >/dev/null
cat >try.mjs <<'SCRIPT'
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import sse from "@fastify/sse";
import { EventSource } from "eventsource";
import fastify from "fastify";

async function* nothing() {}
async function* failing() {
  yield { data: "first" };
  await sleep(50);
  throw new Error("lost the database");
}
const sources = {
  "a generator without an event": () => nothing(),
  "a Readable without an event": () => Readable.from(nothing()),
  "a generator that fails": () => failing(),
  "a Readable that fails": () => Readable.from(failing()),
};
/** What `send` did, by request. */
let outcome;
const app = fastify();
await app.register(sse, { heartbeatInterval: 300 });
app.get("/live/:name", { sse: "only" }, async (request, reply) => {
  const sent = reply.sse.send(sources[request.params.name]());
  outcome = await sent.then(() => "resolves", () => "rejects");
});
await app.listen({ port: 0, host: "127.0.0.1" });
const url = (name) => `http://127.0.0.1:${app.server.address().port}/live/${encodeURIComponent(name)}`;

/** A read of up to two seconds. */
async function read(name) {
  const response = await fetch(url(name), { headers: { accept: "text/event-stream" }, signal: AbortSignal.timeout(2_000) });
  let text = "";
  let end = "ended";
  try {
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) text += chunk;
  } catch {
    end = "open";
  }
  const heartbeats = text.split(": heartbeat").length - 1;
  return [`send ${outcome}`, response.headers.get("content-type") ?? "no content type", end, `${heartbeats} heartbeats`].join(", ");
}
/** Whether an EventSource means to come back. */
async function follow(name) {
  const source = new EventSource(url(name));
  await new Promise((resolve) => source.addEventListener("error", resolve));
  const state = source.readyState === EventSource.CLOSED ? "gives up" : "comes back";
  source.close();
  return state;
}
const found = {};
for (const name of Object.keys(sources)) {
  found[name] = await read(name);
  if (name.includes("without")) found[name] += `, EventSource ${await follow(name)}`;
  console.log(`@fastify/sse 0.6.0, ${name}: ${found[name]}`);
}
const expected = {
  "a generator without an event": "send resolves, no content type, ended, 0 heartbeats, EventSource gives up",
  "a Readable without an event": "send resolves, text/event-stream, ended, 0 heartbeats, EventSource comes back",
  "a generator that fails": "send rejects, text/event-stream, ended, 0 heartbeats",
  "a Readable that fails": "send resolves, text/event-stream, open, 0 heartbeats",
};
const asFound = JSON.stringify(found) === JSON.stringify(expected);
console.log(asFound ? "As found: the end depends on the kind of the source." : "CHANGED: it no longer behaves so.");
process.exit(asFound ? 0 : 1);
SCRIPT
timeout 60 node try.mjs
