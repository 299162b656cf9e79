/** How much is done: so many tasks, or all that begin within some seconds. */
export type Amount = { count: number } | { seconds: number };

/**
 * Runs tasks, `atOnce` of them at the same time.
 * @param task is given the number of tasks that have begun before
 */
export async function runAtOnce(
  atOnce: number,
  amount: Amount,
  task: (index: number) => Promise<unknown>,
): Promise<{ requests: number; perSecond: number; p99: number }> {
  const start = performance.now();
  const milliseconds: number[] = [];
  let begun = 0;
  const isOver = () =>
    "count" in amount ? begun >= amount.count : performance.now() - start >= amount.seconds * 1_000;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (!isOver()) {
        const sent = performance.now();
        await task(begun++);
        milliseconds.push(performance.now() - sent);
      }
    }),
  );
  const perSecond = (milliseconds.length * 1_000) / (performance.now() - start);
  const p99 = milliseconds.sort((a, b) => a - b)[Math.floor(milliseconds.length * 0.99)] ?? Number.NaN;
  return { requests: milliseconds.length, perSecond, p99 };
}
