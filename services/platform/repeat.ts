/**
 * Runs `step` now and again and again, with a pause after each; a step that fails is over all the same. Keeps no process alive.
 * @param pauseMs milliseconds from the end of a step to the begin of the next
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
    /** Resolves when the step that runs is over. */
    stop() {
      isStopped = true;
      clearTimeout(timer);
      return running;
    },
  };
}
