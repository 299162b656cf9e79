import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import * as assert from "uvu/assert";
import { NodeReplyWriter } from "../../gateway/http/replies/reply-writer.ts";
import { JsonList } from "../../gateway/rendering/assembled-bytes.ts";
import { listen } from "../support/listen.ts";
import { suite } from "../support/suite.ts";
import { readUntilClosed } from "./raw-socket.ts";

const Heads = suite("gateway replies past the router");

const body = "some bytes";
const heads: Record<string, { status: number; head: string[] }> = {
  "/page": { status: 200, head: ["content-type", "text/plain", "content-length", `${body.length}`, "etag", '"1"'] },
  "/unchanged": { status: 304, head: ["etag", '"1"'] },
  "/refusal": { status: 404, head: ["content-length", `${body.length}`] },
};

/** Answers by the writer, and as Node alone does. */
let ours: Served;
let nodes: Served;

interface Served {
  server: Server;
  port: number;
}

type Send = (
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  head: string[],
  pieces: string[],
) => void;

const byWriter: Send = (request, response, status, head, pieces) =>
  new NodeReplyWriter(request, response, ours.server.keepAliveTimeout).send(
    status,
    head,
    pieces.slice(0, 3).join(""),
    new JsonList([Buffer.from(pieces.slice(3).join(""))], Buffer.alloc(0), Buffer.alloc(0)),
  );

const nodeAlone: Send = (_request, response, status, head, pieces) => {
  response.writeHead(status, head).end(pieces.join(""));
};

async function serve(send: Send): Promise<Served> {
  const server = createServer((request, response) => {
    const { status, head } = heads[request.url ?? ""] as { status: number; head: string[] };
    send(request, response, status, head, status === 304 ? [] : [...body]);
  });
  return { server, port: await listen(server) };
}

const last = "GET /page HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

Heads.before(async () => {
  [ours, nodes] = await Promise.all([serve(byWriter), serve(nodeAlone)]);
});
Heads.after(() => {
  ours.server.close();
  nodes.server.close();
});

/** Those after which the connection stays open. */
const kept: Record<string, string> = {
  "a GET": "GET /page HTTP/1.1\r\nHost: a\r\n\r\n",
  "a HEAD": "HEAD /page HTTP/1.1\r\nHost: a\r\n\r\n",
  "a 304": "GET /unchanged HTTP/1.1\r\nHost: a\r\n\r\n",
  "a refusal": "GET /refusal HTTP/1.1\r\nHost: a\r\n\r\n",
  "HTTP/1.0 with keep-alive": "GET /page HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
};
const closing: Record<string, string> = {
  "HTTP/1.0 with keep-alive, a 304": "GET /unchanged HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
  "HTTP/1.0": "GET /page HTTP/1.0\r\n\r\n",
  "the last of a connection": last,
};
async function compare(pieces: string[]): Promise<void> {
  const replies = await Promise.all([ours, nodes].map(({ port }) => readUntilClosed(port, pieces)));
  const [own, node] = replies.map((text) => text.replace(/^Date: .*$/gm, "Date:"));
  assert.match(node as string, /^HTTP\/1\.1 /);
  assert.is(own, node);
}
for (const [name, request] of Object.entries(kept)) {
  Heads(`are sent as Node writes them: ${name}`, async () => {
    await compare([request, request, request, last]);
    // Pipelined.
    await compare([request.repeat(3) + last]);
  });
}
for (const [name, request] of Object.entries(closing)) {
  Heads(`are sent as Node writes them: ${name}`, async () => {
    await compare([kept["a GET"] + last]);
    await compare([kept["a 304"] + last]);
    await compare([request]);
    await compare([request]);
  });
}

Heads("name the second in which they are sent", async () => {
  const date = async () => {
    const [, text = ""] = /^Date: (.*)$/m.exec(await readUntilClosed(ours.port, kept["a GET"] + last)) ?? [];
    return Date.parse(text);
  };
  const first = await date();
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  const passed = (await date()) - first;
  assert.ok(passed >= 1_000 && passed <= 5_000, `${passed}`);
});

Heads.run();
