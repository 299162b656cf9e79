#!/bin/sh
# The guess: `onDisconnect` is called each time the connection breaks, and `onConnect` only when a stream begins.
# What happens: `onDisconnect` is called only when the body ends in order. When the connection is cut in the midst, or the server is not
# there, it is not called, though the client connects again: `onScheduleReconnect` alone tells of both. A reply of 404 or 500 that
# is no event stream counts as connected.
# Version and source: eventsource-client 1.2.0. Its types say of onDisconnect "Callback that fires each time the connection is broken",
# and of onConnect "each time the connection is established"; the README is silent on both (dist/default.js: the `catch` of `connect`
# only schedules, and `onFetchResponse` looks at no status but 204).
# Why it matters here: a proxy or a crash cuts our live streams without an end. A reader that shows "offline" by onDisconnect, or "live"
# by onConnect, would be wrong just then; the first event or comment is what tells that a stream is there.
# Needs Node 20 or newer and npm with access to its registry. Exit code 0 while the library behaves so.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --no-audit --no-fund --loglevel=error --prefix . "eventsource-client@1.2.0" "eventsource-parser@3.0.6" >/dev/null
cat >try.mjs <<'SCRIPT'
import { once } from "node:events";
import http from "node:http";
import { createEventSource } from "eventsource-client";

const head = { "content-type": "text/event-stream" };
const block = "retry: 50\ndata: x\n\n";
const streams = {
  "ended in order": (response) => response.writeHead(200, head).end(block),
  // Once its event has arrived.
  "cut in the midst": (response, arrived) => response.writeHead(200, head).write(block, () => arrived.then(() => response.destroy())),
  "answered by 404": (response) => response.writeHead(404, { "content-type": "text/plain" }).end("Not found"),
  refused: undefined,
};

/** What the client calls until it is about to connect for the second time. */
async function calls(answer) {
  let arrive;
  const arrived = new Promise((resolve) => (arrive = resolve));
  const server = http.createServer((_, response) => void answer(response, arrived));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address();
  if (answer === undefined) await once(server.close(), "close");
  const called = [];
  await new Promise((resolve) => {
    const source = createEventSource({
      url: `http://127.0.0.1:${port}/`,
      onConnect: () => called.push("onConnect"),
      onMessage() {
        called.push("onMessage");
        arrive();
      },
      onDisconnect: () => called.push("onDisconnect"),
      onScheduleReconnect() {
        called.push("onScheduleReconnect");
        // What else belongs to the same loss is called at once.
        setTimeout(() => resolve(source.close()), 20);
      },
    });
  });
  server.close();
  server.closeAllConnections();
  return called.join(" ");
}
const found = {};
for (const [name, answer] of Object.entries(streams)) {
  found[name] = await calls(answer);
  console.log(`eventsource-client 1.2.0, ${name}: ${found[name]}`);
}
const asFound =
  found["ended in order"] === "onConnect onMessage onScheduleReconnect onDisconnect" &&
  found["cut in the midst"] === "onConnect onMessage onScheduleReconnect" &&
  found["answered by 404"] === "onConnect onScheduleReconnect onDisconnect" &&
  found.refused === "onScheduleReconnect";
console.log(asFound ? "As found: a cut connection is no disconnect." : "CHANGED: it no longer behaves so.");
process.exit(asFound ? 0 : 1);
SCRIPT
timeout 60 node try.mjs
