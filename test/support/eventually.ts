import { setTimeout as sleep } from "node:timers/promises";

/** Waits until the check holds. Throws after half a minute: uvu itself would wait for ever. */
export async function eventually(what: string, check: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(`${what}: not within half a minute`);
    await sleep(50);
  }
}
