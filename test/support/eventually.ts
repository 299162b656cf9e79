import { setTimeout as sleep } from "node:timers/promises";

/** Waits until the check succeeds. Throws after half a minute by default, since uvu has no timeout. */
export async function eventually(what: string, check: () => Promise<boolean>, seconds = 30): Promise<void> {
  const deadline = Date.now() + seconds * 1_000;
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(`${what}: not within ${seconds} seconds`);
    await sleep(50);
  }
}
