import { Code, ConnectError } from "@connectrpc/connect";

/** The moment, by performance.now(), until which a request has to be answered; all work for it ends then. */
export type Deadline = number;

/** The deadline of a request that has so many milliseconds from now. */
export function deadlineAfter(ms: number): Deadline {
  return performance.now() + ms;
}

/** Whole milliseconds that a call has left. @throws ConnectError DeadlineExceeded when the deadline has passed */
export function millisecondsUntil(deadline: Deadline): number {
  const ms = Math.ceil(deadline - performance.now());
  if (ms <= 0) throw deadlineExceeded();
  return ms;
}

/**
 * The result of some work, if there is one before the deadline. The work is not stopped at the deadline: its calls have the same
 * deadline, and other requests may wait for them as well.
 * @throws ConnectError DeadlineExceeded, and what the work throws
 */
export function beforeDeadline<T>(deadline: Deadline, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(deadlineExceeded()), Math.max(0, deadline - performance.now()));
    const settled =
      <A>(settle: (argument: A) => void) =>
      (argument: A) => {
        clearTimeout(timer);
        settle(argument);
      };
    work.then(settled(resolve), settled(reject));
  });
}

function deadlineExceeded(): ConnectError {
  return new ConnectError("the request's deadline has passed", Code.DeadlineExceeded);
}
