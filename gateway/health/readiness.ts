import { type Client, ConnectError } from "@connectrpc/connect";
import { type Health, HealthCheckResponse_ServingStatus as Status } from "../../proto/gen/grpc/health/v1/health_pb.ts";

/** A service that says how it is. */
export interface Neighbour {
  name: string;
  health: Pick<Client<typeof Health>, "check">;
}

/** Whether requests can be served at the moment. */
export interface Readiness {
  /** Why not, in words that may be shown to anybody; none when they can. Never rejects. */
  reasons(): Promise<string[]>;
  /** From now on they cannot: the process is about to end. */
  drain(): void;
}

/** The gateway is ready when all of its services are. Those who ask at the same time share one look. */
export function createReadiness(neighbours: readonly Neighbour[]): Readiness {
  let draining = false;
  let looking: Promise<string[]> | undefined;
  const look = async () => (await Promise.all(neighbours.map(complaintAbout))).filter((reason) => reason !== undefined);
  return {
    async reasons() {
      if (draining) return ["gateway: stopping"];
      looking ??= look().finally(() => {
        looking = undefined;
      });
      return looking;
    },
    drain() {
      draining = true;
    },
  };
}

/** Milliseconds; a service looks at its database for up to two seconds before it says that it is not serving. */
const patience = 2_500;

async function complaintAbout({ name, health }: Neighbour): Promise<string | undefined> {
  try {
    const { status } = await health.check({}, { timeoutMs: patience });
    return status === Status.SERVING ? undefined : `${name}: not serving`;
  } catch (error) {
    return `${name}: ${error instanceof ConnectError ? "no answer" : "failed"}`;
  }
}
