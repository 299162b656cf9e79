/**
 * The result of `work` if it comes in time. What came while this process did something else counts as in time. Late work is not stopped.
 * @throws Error after `timeoutMs` milliseconds, and whatever `work` throws
 */
export async function withTimeout<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const end = () => reject(new Error(`no answer within ${timeoutMs} ms`));
    // The event loop runs timers first, and then reads what has come: so this waits until it has read.
    timer = setTimeout(() => setImmediate(end), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
