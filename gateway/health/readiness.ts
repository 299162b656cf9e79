import { type Client, ConnectError } from "@connectrpc/connect";
import { type Health, HealthCheckResponse_ServingStatus as Status } from "../../proto/gen/grpc/health/v1/health_pb.ts";
import { shareCalls } from "../../services/platform/share-calls.ts";

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
