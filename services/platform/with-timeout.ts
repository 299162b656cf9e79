/**
 * The result of `work` if it comes in time. Late work is not stopped. The time begins at the end of this turn of the event loop, when clients write
 * their requests; and what has come while this process did something else counts as in time.
 * @throws Error after `timeoutMs` milliseconds, and whatever `work` throws
 */
export async function withTimeout<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let begin: NodeJS.Immediate | undefined;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const end = () => reject(new Error(`no answer within ${timeoutMs} ms`));
    begin = setImmediate(() => {
      // The event loop runs timers first, and then reads what has come: so the end waits until it has read.
      timer = setTimeout(() => setImmediate(end), timeoutMs);
    });
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearImmediate(begin);
    clearTimeout(timer);
  }
}
