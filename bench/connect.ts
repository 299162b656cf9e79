import { setTimeout as sleep } from "node:timers/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import { createServiceTransport, type ServiceTransport } from "../services/platform/connect/client.ts";

/** A transport for load: it waits as long as a service lets a call take. */
export function connect(baseUrl: string): ServiceTransport {
  return createServiceTransport({ baseUrl, caller: "bench", deadlineMs: 60_000 });
}

/** Call options that say for which user a call is made. */
export function asUser(id: bigint): { headers: Record<string, string> } {
  return { headers: { "roost-viewer": id.toString() } };
}

/**
 * Makes a call again, up to 20 times, while the service says that it has no time: reads, and writes whose request id makes
 * them one. Nothing else is repeated: a write that was given up after conflicts (Aborted) is to be seen.
 * @param codes what is answered by a repetition
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
