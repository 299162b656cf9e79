import { type Client, ConnectError } from "@connectrpc/connect";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Health, HealthCheckResponse_ServingStatus as Status } from "../../proto/gen/grpc/health/v1/health_pb.ts";
import { shareCalls } from "../../services/platform/batch-calls.ts";
import { addReadOnly } from "../http/read-only.ts";
import { sendJson } from "../http/replies/send.ts";

/** A service that the gateway needs, with its health check. */
export interface Dependency {
  name: string;
  health: Pick<Client<typeof Health>, "check">;
}

/** Whether requests can be served at the moment. */
export interface Readiness {
  /** Why they cannot be served, in words that may be public; none when they can. Never rejects. */
  reasons(): Promise<string[]>;
  /** To be called before the process ends: from then on it is not ready. */
  drain(): void;
}

/**
 * The gateway is ready when all of its services are. Callers at the same time share one check.
 * @param warmUp done once, when the services are ready for the first time, before it says so. Never rejects
 */
export function createReadiness(dependencies: readonly Dependency[], warmUp: () => Promise<void>): Readiness {
  let draining = false;
  let warming: Promise<void> | undefined;
  const check = shareCalls(async () => {
    const reasons = (await Promise.all(dependencies.map(problemOf))).filter((reason) => reason !== undefined);
    if (reasons.length === 0) await (warming ??= warmUp());
    return reasons;
  });
  return {
    reasons: async () => (draining ? ["gateway: stopping"] : check()),
    drain() {
      draining = true;
    },
  };
}

/** Milliseconds; a service checks its database for up to two seconds before it says that it is not serving. */
const checkTimeoutMs = 2_500;

async function problemOf({ name, health }: Dependency): Promise<string | undefined> {
  try {
    const { status } = await health.check({}, { timeoutMs: checkTimeoutMs });
    return status === Status.SERVING ? undefined : `${name}: not serving`;
  } catch (error) {
    return `${name}: ${error instanceof ConnectError ? "no answer" : "failed"}`;
  }
}

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
