import { type Client, ConnectError } from "@connectrpc/connect";
import { type Health, HealthCheckResponse_ServingStatus as Status } from "../../proto/gen/grpc/health/v1/health_pb.ts";

/** A service that the gateway needs, with its health check. */
export interface Dependency {
  name: string;
  health: Pick<Client<typeof Health>, "check">;
}

/** Whether requests can be served at the moment. */
export interface Readiness {
  /** Why not, in words that may be public; none when they can. Never rejects. */
  reasons(): Promise<string[]>;
  /** From now on they cannot: the process is about to end. */
  drain(): void;
}

/** The gateway is ready when all of its services are. Callers at the same time share one check. */
export function createReadiness(dependencies: readonly Dependency[]): Readiness {
  let draining = false;
  let checking: Promise<string[]> | undefined;
  const check = async () => (await Promise.all(dependencies.map(problemOf))).filter((reason) => reason !== undefined);
  return {
    async reasons() {
      if (draining) return ["gateway: stopping"];
      checking ??= check().finally(() => {
        checking = undefined;
      });
      return checking;
    },
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
