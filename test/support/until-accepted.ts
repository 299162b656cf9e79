import { Code, ConnectError } from "@connectrpc/connect";

/**
 * Makes a call again while the service is too busy with its user's other writes, as callers do: on a slow machine hundreds of them
 * take longer than the service lets one wait. What was refused so has changed nothing.
 */
export function untilAccepted<T>(call: () => Promise<T>): Promise<T> {
  return untilNot(Code.Aborted, call);
}

/**
 * Makes a deletion again while the service says that it goes on, as callers do: on a slow machine what is left of a status takes longer
 * to be deleted than the service lets a caller wait.
 */
export function untilFinished<T>(call: () => Promise<T>): Promise<T> {
  return untilNot(Code.Unavailable, call);
}

async function untilNot<T>(code: Code, call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ConnectError) || error.code !== code || attempt === maxAttempts) throw error;
    }
  }
}

const maxAttempts = 10;
