import { createServer, type IncomingMessage } from "node:http";
import type { FastRequest, RequestFacts } from "../../gateway/http/fast-path/fast-request.ts";
import { type RepeatedBytes, readRepeatedBytes } from "../../gateway/http/fast-path/repeated-bytes.ts";
import { watchConnections } from "../../gateway/http/sockets/watch-connections.ts";
import { listen } from "../support/listen.ts";

/** Two servers that reply with what was asked: one that skips Node's parser for repeated bytes, and Node's alone. */
export interface RepeatedServers {
  /** Their ports. */
  ours: number;
  nodes: number;
  repeated: RepeatedBytes;
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

export async function startRepeatedServers(): Promise<RepeatedServers> {
  const ours = createServer(limits, (message, response) => {
    const { outcome, bytes } = servers.repeated.noteRead(message);
    if (outcome !== undefined) servers.failures.push(outcome.failure);
    const { method = "" } = message;
    const { origin } = message.headers;
    const note = (key: string) => {
      if (!["GET", "POST"].includes(method) || !response.shouldKeepAlive) return;
      servers.repeated.add(message, bytes, {
        key,
        method,
        origin,
        ifNoneMatch: undefined,
        sessionId: "",
        form: "identity",
      });
    };
    // The facts of a GET are known at once, those of a POST with its body.
    if (method === "GET") note(textOf(message, ""));
    replyWith(message, (text) => {
      if (method === "POST") note(text);
      response.writeHead(200, headOf(text)).end(text);
    });
  });
  const nodes = createServer(limits, (message, response) => {
    replyWith(message, (text) => response.writeHead(200, headOf(text)).end(text));
  });
  const lastRequests = new WeakMap();
  const watch = watchConnections(ours, 0, lastRequests);
  const servers: RepeatedServers = {
    ours: await listen(ours),
    nodes: await listen(nodes),
    repeated: readRepeatedBytes(ours, {
      lastRequests,
      noteRequest: watch.noteRequest,
      answer(facts, request) {
        servers.known.push(facts);
        servers.answer(request, facts.key);
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
  if (message.url === "/early") return send("early");
  let body = "";
  message.on("data", (chunk: Buffer) => (body += chunk));
  message.on("end", () => {
    const reply = () => send(textOf(message, body));
    if (message.url === "/later") return void message.socket.once("now", reply);
    if (message.url === "/now") message.socket.emit("now");
    reply();
  });
}

function textOf({ method, url, headers }: IncomingMessage, body: string): string {
  return `${method} ${url} ${headers.origin ?? ""} ${body}`;
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

/** A POST as it is sent. */
export function post(target: string, body: string): string {
  return `POST ${target} HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}
