import type { RequestTemplate, Step } from "./case-file.ts";
import { checkReply } from "./check-reply.ts";
import { exchange } from "./exchange.ts";
import { parseReply } from "./parse-reply.ts";
import { fillBytes, type Scope } from "./placeholders.ts";

/**
 * Runs steps one after the other against the implementation at `base`, and resolves to the scope with their captures. Rejects with
 * an Error that names the request and the differences of the reply.
 */
export async function runSteps(base: URL, steps: readonly Step[], scope: Scope): Promise<Scope> {
  let known = scope;
  for (const step of steps) {
    try {
      known = new Map([...known, ...Object.entries(await runStep(base, step, known))]);
    } catch (error) {
      const { verb, target } = step.request;
      throw new Error(
        `line ${step.line}, ${verb} ${target}\n${error instanceof Error ? error.message : String(error)}`,
      );
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
  const needed: [string, string][] = [
    ["Host", base.host],
    ["Connection", "close"],
    ...(content === undefined || own.has("transfer-encoding")
      ? []
      : [["Content-Length", `${content.length}`] as [string, string]]),
  ];
  const all = [...needed.filter(([name]) => !own.has(name.toLowerCase())), ...headers];
  const lines = all.filter(([, value]) => value !== "{{absent}}").map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `${verb} ${base.pathname.replace(/\/$/, "")}${target} HTTP/1.1\r\n${lines.join("")}\r\n`;
  return Buffer.concat([fillBytes(head, scope), content ?? Buffer.alloc(0)]);
}
