import { randomBytes } from "node:crypto";
import net from "node:net";
import tls from "node:tls";
import type { Case, RequestTemplate, Step, Topic } from "./case-files.ts";
import { checkReply, parseReply } from "./check-reply.ts";
import { fillBytes, type Scope } from "./placeholders.ts";

/** The result of a case; it passed when there is no failure. */
export interface CaseResult extends Pick<Case, "title" | "open"> {
  failure: string | undefined;
}

/** Runs the cases of a topic one after the other. When the shared steps fail, all of them fail. */
export async function runTopic(base: URL, topic: Topic): Promise<CaseResult[]> {
  const run = openTopic(base, topic);
  const results: CaseResult[] = [];
  for (const golden of topic.cases) {
    const { title, open } = golden;
    const failure = await run(golden).then(() => undefined, messageOf);
    results.push({ title, open, failure });
  }
  return results;
}

/**
 * Prepares a topic: the shared steps run once, before its first case. The returned function runs one case; it rejects with an Error
 * that says how a reply differs from the contract's.
 */
export function openTopic(base: URL, { before }: Topic): (golden: Case) => Promise<void> {
  let shared: ReturnType<typeof runSteps> | undefined;
  return async ({ steps }) => {
    shared ??= runSteps(base, before, freshScope(base));
    await runSteps(base, steps, new Map([...(await shared), ...freshScope(base)]));
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * The values that every case has. `unique`: 12 lower-case letters and digits, beginning with a letter, different in every case and
 * run. `host` and `origin`: those of the implementation under test.
 */
function freshScope(base: URL): Scope {
  const unique = `c${(randomBytes(8).readBigUInt64BE() % 36n ** 11n).toString(36).padStart(11, "0")}`;
  return new Map(Object.entries({ unique, host: base.host, origin: base.origin }));
}

/** Milliseconds within which the server must end the connection. */
const timeoutMs = 15_000;

/**
 * Sends bytes over a new connection, and resolves to everything received when the server has ended it, so that bytes after the reply
 * are seen too. Rejects when nothing was received, or when the server does not end the connection.
 */
function exchange(base: URL, bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(base);
    const settle = (fault?: string) => {
      clearTimeout(timer);
      socket.destroy();
      const received = Buffer.concat(chunks);
      if (fault === undefined) return resolve(received);
      reject(new Error(`${fault}; received ${JSON.stringify(received.toString("latin1").slice(0, 500))}`));
    };
    const timer = setTimeout(() => settle("the connection was not ended"), timeoutMs);
    socket.write(bytes);
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", (error) => settle(error.message || String(error)));
    socket.on("end", () => settle(chunks.length === 0 ? "the connection was ended without a reply" : undefined));
  });
}

function connect({ protocol, hostname, port }: URL): net.Socket {
  const host = hostname.replace(/^\[|\]$/g, "");
  // An IP address is no server name (RFC 6066 §3).
  if (protocol === "https:") {
    return tls.connect({ host, port: Number(port || 443), servername: net.isIP(host) === 0 ? host : "" });
  }
  return net.connect({ host, port: Number(port || 80) });
}

/**
 * Runs steps one after the other against the implementation at `base`, and resolves to the scope with their captures. Rejects with
 * an Error that names the request and the differences of the reply.
 */
async function runSteps(base: URL, steps: readonly Step[], scope: Scope): Promise<Scope> {
  let known = scope;
  for (const step of steps) {
    try {
      known = new Map([...known, ...Object.entries(await runStep(base, step, known))]);
    } catch (error) {
      const { verb, target } = step.request;
      throw new Error(`line ${step.line}, ${verb} ${target}\n${messageOf(error)}`);
    }
  }
  return known;
}

async function runStep(base: URL, { request, reply }: Step, scope: Scope): Promise<Record<string, string>> {
  const received = await exchange(base, requestBytes(base, request, scope));
  const { differences, captured } = checkReply(reply, parseReply(received, request.verb === "HEAD"), scope);
  if (differences.length > 0) throw new Error(differences.join("\n"));
  return captured;
}

/** The bytes of a request; headers that HTTP needs are added unless it has them. */
function requestBytes(base: URL, { verb, target, headers, body }: RequestTemplate, scope: Scope): Buffer {
  const content = body === undefined ? undefined : fillBytes(body, scope);
  if (verb === "RAW") return content ?? Buffer.alloc(0);
  const own = new Set(headers.map(([name]) => name.toLowerCase()));
  const needed: Record<string, string> = { Host: base.host, Connection: "close" };
  if (content !== undefined && !own.has("transfer-encoding")) needed["Content-Length"] = `${content.length}`;
  const all = [...Object.entries(needed).filter(([name]) => !own.has(name.toLowerCase())), ...headers];
  const lines = all.filter(([, value]) => value !== "{{absent}}").map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `${verb} ${base.pathname.replace(/\/$/, "")}${target} HTTP/1.1\r\n${lines.join("")}\r\n`;
  return Buffer.concat([fillBytes(head, scope), content ?? Buffer.alloc(0)]);
}
