import { createServiceTransport, type ServiceTransport } from "../services/platform/connect/client.ts";

/** A transport for load: it waits as long as a service lets a call take. */
export function connect(baseUrl: string): ServiceTransport {
  return createServiceTransport({ baseUrl, caller: "bench", deadlineMs: 60_000 });
}

/** Call options that say for which user a call is made. */
export function asUser(id: bigint): { headers: Record<string, string> } {
  return { headers: { "roost-viewer": id.toString() } };
}
