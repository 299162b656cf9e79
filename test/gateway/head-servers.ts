import { createServer, type IncomingMessage } from "node:http";
import type { FastRequest, RequestFacts } from "../../gateway/http/fast-path/fast-request.ts";
import { type RepeatedHeads, readRepeatedHeads } from "../../gateway/http/fast-path/repeated-heads.ts";
import { watchConnections } from "../../gateway/http/sockets/watch-connections.ts";
import { listen } from "../support/listen.ts";

/** Two servers that reply with what was asked: one that skips repeated heads, and Node's alone. */
export interface HeadServers {
  /** Their ports. */
  ours: number;
  nodes: number;
  heads: RepeatedHeads;
  /** Requests that Node did not read. */
  known: RequestFacts[];
  /** How they are answered. */
  answer: (request: FastRequest, text: string) => void;
  /** What the server's listener was told of requests that were left to it. */
  failures: unknown[];
  /** Forgets what was known, and replies at once again. */
  reset(): void;
  stop(): void;
}

export async function startHeadServers(): Promise<HeadServers> {
  const ours = createServer(limits, (message, response) => {
    const outcome = servers.heads.noteRead(message);
    if (outcome !== undefined) servers.failures.push(outcome.failure);
    replyWith(message, (text) => response.writeHead(200, headOf(text)).end(text));
    const { url: target = "", method = "" } = message;
    const { origin } = message.headers;
    if (method !== "GET" || !response.shouldKeepAlive) return;
    const facts: RequestFacts = { target, method, origin, ifNoneMatch: undefined, sessionId: "", form: "identity" };
    servers.heads.add(message, facts);
  });
  const nodes = createServer(limits, (message, response) => {
    replyWith(message, (text) => response.writeHead(200, headOf(text)).end(text));
  });
  const exchanges = new WeakMap();
  const watch = watchConnections(ours, 0, exchanges);
  const servers: HeadServers = {
    ours: await listen(ours),
    nodes: await listen(nodes),
    heads: readRepeatedHeads(ours, {
      exchanges,
      noteRequest: watch.noteRequest,
      answer(facts, request) {
        servers.known.push(facts);
        servers.answer(request, textOf(facts, ""));
        return true;
      },
    }),
    known: [],
    answer: sendText,
    failures: [],
    reset: () => void Object.assign(servers, { known: [], failures: [], answer: sendText }),
    stop() {
      watch.stop();
      ours.close();
      nodes.close();
    },
  };
  return servers;
}

/** Milliseconds, so that each connection ends soon. */
const limits = {
  headersTimeout: 1_000,
  requestTimeout: 1_000,
  keepAliveTimeout: 1_000,
  connectionsCheckingInterval: 100,
};

function replyWith(message: IncomingMessage, send: (text: string) => void): void {
  // Before its body has come.
  if (message.url === "/early") return send(textOf({ method: "", target: "/early", origin: "" }, ""));
  let body = "";
  message.on("data", (chunk: Buffer) => (body += chunk));
  message.on("end", () => {
    const { url: target = "", method = "", headers } = message;
    const reply = () => send(textOf({ method, target, origin: headers.origin }, body));
    if (target === "/later") return void message.socket.once("now", reply);
    if (target === "/now") message.socket.emit("now");
    reply();
  });
}

function textOf({ method, target, origin = "" }: Pick<RequestFacts, "method" | "target" | "origin">, body: string) {
  return `${method} ${target} ${origin} ${body}`;
}

function headOf(text: string): string[] {
  return ["content-type", "text/plain", "content-length", `${text.length}`];
}

/** Sends a text in two pieces. */
export function sendText(request: FastRequest, text: string): void {
  request.send(200, headOf(text), text.slice(0, 3), Buffer.from(text.slice(3)));
}

/** A GET as it is sent. */
export function get(target: string, origin = "a"): string {
  return `GET ${target} HTTP/1.1\r\nHost: a\r\nOrigin: ${origin}\r\n\r\n`;
}
