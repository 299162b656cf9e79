import { setTimeout as sleep } from "node:timers/promises";
import { NotSupported, type Row } from "../row.ts";
import type { SystemKind } from "../side.ts";

const idleSystem: SystemKind = { hasDataset: false, settings: {} };
const seconds = 20;

/** What a system that nobody uses costs. */
export const idle: Row = {
  name: "idle",
  title: `idle for ${seconds} s`,
  unit: "ms of processor a second, all processes",
  floor: { atMost: 5 },
  async prepare(side) {
    const { processorSeconds } = await side.system(idleSystem);
    // What the start has left to be done.
    await sleep(10_000);
    return async () => {
      const before = processorSeconds();
      await sleep(seconds * 1_000);
      const after = processorSeconds();
      if (before === undefined || after === undefined) throw new NotSupported("there is no /proc");
      return { value: ((after - before) * 1_000) / seconds };
    };
  },
};
