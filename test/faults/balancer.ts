import { setTimeout as sleep } from "node:timers/promises";

/** Checks again and again which of several addresses are ready, like a balancer. */
export interface Balancer {
  isReady(url: string): boolean;
  /** A ready address, at random. Throws when there is none for 5 s: then a rolling restart has stopped too many. */
  pick(): Promise<string>;
  stop(): Promise<void>;
}

/** Milliseconds between two checks of an address. */
const lookPause = 150;

/** @param look whether an address is ready; a rejection, or no answer within a second, counts as not ready */
export function startBalancer(urls: readonly string[], look: (url: string) => Promise<boolean>): Balancer {
  const ready = new Set<string>();
  let isOver = false;
  const loops = urls.map(async (url) => {
    while (!isOver) {
      const late = sleep(1_000, false, { ref: false });
      if (await Promise.race([look(url).catch(() => false), late])) ready.add(url);
      else ready.delete(url);
      await sleep(lookPause);
    }
  });
  return {
    isReady: (url) => ready.has(url),
    async pick() {
      for (let attempt = 0; attempt < 100; attempt++) {
        const all = [...ready];
        const url = all[Math.floor(Math.random() * all.length)];
        if (url !== undefined) return url;
        await sleep(50);
      }
      throw new Error("none is ready");
    },
    async stop() {
      isOver = true;
      await Promise.all(loops);
    },
  };
}
