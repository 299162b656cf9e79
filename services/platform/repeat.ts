/**
 * Runs `step` again and again, with a pause after each run, also after one that failed. Does not keep the process alive.
 * @param pauseMs milliseconds from the end of a run to the start of the next
 */
export function repeat(pauseMs: number, step: () => Promise<void>): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let running = run();

  async function run(): Promise<void> {
    await step().catch(() => {});
    if (isStopped) return;
    timer = setTimeout(() => {
      running = run();
    }, pauseMs).unref();
  }

  return {
    /** Resolves when the present run has ended. */
    stop() {
      isStopped = true;
      clearTimeout(timer);
      return running;
    },
  };
}
