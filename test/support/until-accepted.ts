import { Code, ConnectError } from "@connectrpc/connect";

/**
 * Makes a call again while the service is too busy with its user's other writes, as callers do: on a slow machine hundreds of them
 * take longer than the service lets one wait. What was refused so has changed nothing.
 */
export async function untilAccepted<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ConnectError) || error.code !== Code.Aborted || attempt === maxAttempts) throw error;
    }
  }
}

const maxAttempts = 10;
