import { setTimeout as sleep } from "node:timers/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import { createServiceTransport, type ServiceTransport } from "../services/platform/connect/client.ts";

/** A transport for load, with a deadline as long as a service allows. */
export function connect(baseUrl: string): ServiceTransport {
  return createServiceTransport({ baseUrl, caller: "bench", deadlineMs: 60_000 });
}

/** Call options that name the user for whom a call is made. */
export function asUser(id: bigint): { headers: Record<string, string> } {
  return { headers: { "roost-viewer": id.toString() } };
}

/**
 * Repeats a call up to 20 times while the service is too busy: reads, and writes with a request id. Other errors are not
 * repeated: a write that was abandoned after conflicts (Aborted) should be seen.
 * @param codes the errors to repeat after
 */
export async function callWithRetries<T>(
  call: () => Promise<T>,
  codes: readonly Code[] = [Code.Unavailable],
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (!codes.includes(ConnectError.from(error).code) || attempt === 20) throw error;
      await sleep(100);
    }
  }
}
