import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { addReadOnly } from "../http/read-only.ts";
import { sendJson } from "../http/replies/send.ts";
import type { Readiness } from "./readiness.ts";

/**
 * Adds `/livez`, which answers as long as the process does, and `/readyz`, which says whether requests can be served: 200,
 * or 503 with the reasons. Both are public.
 */
export function addHealth(app: FastifyInstance, readiness: Readiness): void {
  addReadOnly(app, "/livez", (request, reply) => send(request, reply, 200, { alive: true }));
  addReadOnly(app, "/readyz", async (request, reply) => {
    const reasons = await readiness.reasons();
    if (reasons.length === 0) return send(request, reply, 200, { ready: true, reasons });
    // The contract's error shape (§5), after fields for programs.
    const errorCode = "ServiceUnavailable";
    const responseStatus = { errorCode, message: `Not ready: ${reasons.join("; ")}.` };
    Object.assign(request.context, { errorCode, errorStatus: 503 });
    return send(request, reply.header("retry-after", 1), 503, { ready: false, reasons, responseStatus });
  });
}

function send(request: FastifyRequest, reply: FastifyReply, status: number, content: object): FastifyReply {
  return sendJson(request, reply.header("cache-control", "no-store"), status, Buffer.from(JSON.stringify(content)));
}
