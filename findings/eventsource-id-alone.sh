#!/bin/sh
# The guess: each client of server-sent events sends the last `id` that it has read when it connects again, also one that came without data.
# What happens: four of six forget an id that stands alone in its block. When the connection ends before the next event, they begin anew, and
# what was published meanwhile is lost without an error.
# Version and source: eventsource 4.1.1 (the newest that Node 20 takes; 5.1.5 keeps the id, 3.0.7 does not), eventsource-client 1.2.0,
# event-source-plus 0.1.15 and launchdarkly-eventsource 2.2.0 take the id from events that are dispatched, and their parsers dispatch none
# without data. undici 7.30.2 and eventsource 2.0.2 keep it, as browsers do: WHATWG HTML §9.2.6 sets the last event ID before it looks for data.
# Why it matters here: our streams begin with an `id` alone. A reader of a quiet timeline by one of these has to give the place where it begins
# as `lastEventId` in the URL (docs/api.md, section 15), which counts while there is no `Last-Event-ID`.
# Needs Node 20.18.1 or newer and npm with access to its registry. Exit code 0 while the libraries behave so.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --no-audit --no-fund --loglevel=error --prefix . "eventsource@4.1.1" "eventsource-parser@3.1.1" "eventsource-client@1.2.0" \
  "event-source-plus@0.1.15" "launchdarkly-eventsource@2.2.0" "undici@7.30.2" "eventsource-2@npm:eventsource@2.0.2" >/dev/null
cat >try.mjs <<'SCRIPT'
import { once } from "node:events";
import http from "node:http";
import { EventSourcePlus } from "event-source-plus";
import { EventSource as EventSource4 } from "eventsource";
import EventSource2 from "eventsource-2";
import { createEventSource } from "eventsource-client";
import launchDarkly from "launchdarkly-eventsource";
import { EventSource as UndiciEventSource } from "undici";

process.removeAllListeners("warning");
process.on("warning", () => {});
const standard = (EventSource) => (url, onData) => {
  const source = new EventSource(url);
  source.onmessage = ({ data }) => onData(data);
  source.onerror = () => {};
  return () => source.close();
};
const clients = {
  "undici 7.30.2": standard(UndiciEventSource),
  "eventsource 2.0.2": standard(EventSource2),
  "eventsource 4.1.1": standard(EventSource4),
  "launchdarkly-eventsource 2.2.0": standard(launchDarkly.EventSource),
  "eventsource-client 1.2.0"(url, onData) {
    const source = createEventSource({ url, onMessage: ({ data }) => onData(data) });
    return () => source.close();
  },
  "event-source-plus 0.1.15"(url, onData) {
    const source = new EventSourcePlus(url, { maxRetryInterval: 50 }).listen({ onMessage: ({ data }) => onData(data) });
    return () => source.abort();
  },
};
const texts = new Map([[8, "published between the connections"], [9, "published later"]]);

/** What a client reads of a stream that ends at its place 7, before anything was published, and is read again at its place 8. */
async function read(client, query) {
  let connections = 0;
  const server = http.createServer(({ headers, url }, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const last = headers["last-event-id"] ?? new URL(url, "http://localhost").searchParams.get("lastEventId");
    const isFirst = connections++ === 0;
    const place = Number(last ?? (isFirst ? 7 : 8));
    response.write(`retry: 50\nid: ${place}\n\n`);
    if (isFirst) return response.end();
    for (const [id, text] of texts) if (id > place) response.write(`id: ${id}\ndata: ${text}\n\n`);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const seen = [];
  let stop;
  await new Promise((resolve) => {
    stop = client(`http://127.0.0.1:${server.address().port}/${query}`, (data) => {
      seen.push(data);
      if (data === texts.get(9)) resolve();
    });
  });
  stop();
  server.close();
  server.closeAllConnections();
  return seen;
}
const complete = ["undici 7.30.2", "eventsource 2.0.2"];
let asFound = true;
for (const [name, client] of Object.entries(clients)) {
  const [alone, inUrl] = [await read(client, ""), await read(client, "?lastEventId=7")];
  console.log(`${name}: ${alone.join(", ")}; with the place in the URL: ${inUrl.join(", ")}`);
  asFound &&= alone.length === (complete.includes(name) ? 2 : 1) && inUrl.length === 2;
}
console.log(asFound ? "As found: four of six lose what was published between the connections." : "CHANGED: they no longer behave so.");
process.exit(asFound ? 0 : 1);
SCRIPT
timeout 60 node try.mjs
