import { setTimeout as sleep } from "node:timers/promises";
import { create } from "@bufbuild/protobuf";
import type { ConnectRouter, HandlerContext } from "@connectrpc/connect";
import {
  Health,
  type HealthCheckRequest,
  HealthCheckResponseSchema,
  HealthCheckResponse_ServingStatus as Status,
} from "../../../proto/gen/grpc/health/v1/health_pb.ts";
import { notFound } from "../errors.ts";

export interface HealthOptions {
  /** Whether calls can succeed at this moment. Never rejects. */
  isReady: () => Promise<boolean>;
  /** Parts with a health of their own, by the name under which it is asked for. None rejects. */
  parts?: ReadonlyMap<string, () => Promise<boolean>>;
}

/** Milliseconds between two checks for watchers: balancers that poll do so at this interval or a longer one. */
const watchIntervalMs = 1_000;

/** The health of one process's services. */
export interface ServiceHealth {
  /** Reports from now on that nothing is served: watchers are notified, and their streams end. */
  drain(): void;
}

/** Adds grpc.health.v1 for the parts, and for all services that the router has by now, which share one status. */
export function addHealth(router: ConnectRouter, { isReady, parts = new Map() }: HealthOptions): ServiceHealth {
  const known = new Set(["", Health.typeName, ...router.handlers.map((handler) => handler.service.typeName)]);
  const drained = new AbortController();

  const statusOf = async (service: string) => {
    const isWell = known.has(service) ? isReady : parts.get(service);
    if (isWell === undefined) return Status.SERVICE_UNKNOWN;
    return !drained.signal.aborted && (await isWell()) && !drained.signal.aborted ? Status.SERVING : Status.NOT_SERVING;
  };

  async function check({ service }: HealthCheckRequest) {
    const status = await statusOf(service);
    if (status === Status.SERVICE_UNKNOWN) throw notFound("There is no service of that name.");
    return create(HealthCheckResponseSchema, { status });
  }

  async function* watch({ service }: HealthCheckRequest, call: HandlerContext) {
    const over = AbortSignal.any([call.signal, drained.signal]);
    for (let last: Status | undefined; !call.signal.aborted; ) {
      const status = await statusOf(service);
      if (status !== last) yield create(HealthCheckResponseSchema, { status });
      if (drained.signal.aborted) return;
      last = status;
      await sleep(watchIntervalMs, undefined, { signal: over }).catch(() => {});
    }
  }

  router.service(Health, { check, watch });
  return { drain: () => drained.abort() };
}
