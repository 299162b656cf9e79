import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@connectrpc/connect";
import type { WatchService } from "../../proto/gen/social/v1/watch_service_pb.ts";
import type { Log } from "../../services/platform/log.ts";

/** What hints are given to. */
export interface HintListener {
  /** Hints come from now on; some may have been lost. */
  onConnected(): void;
  /** These authors may have news. */
  onHints(authorIds: readonly bigint[]): void;
}

/** Watches for all streams of this process by one call, and makes it again when it ends. @returns ends it */
export function watchAuthors(
  service: Pick<Client<typeof WatchService>, "watch">,
  { onConnected, onHints }: HintListener,
  log: Log,
): () => void {
  const ended = new AbortController();
  let failures = 0;

  async function watchOnce(): Promise<void> {
    const call = new AbortController();
    const abort = () => call.abort();
    const silence = setTimeout(abort, silenceMs);
    ended.signal.addEventListener("abort", abort);
    let isFirst = true;
    try {
      for await (const { authorIds } of service.watch({}, { signal: call.signal, timeoutMs: longestCallMs })) {
        silence.refresh();
        failures = 0;
        if (isFirst) onConnected();
        isFirst = false;
        if (authorIds.length > 0) onHints(authorIds);
      }
    } finally {
      clearTimeout(silence);
      ended.signal.removeEventListener("abort", abort);
    }
  }

  async function run(): Promise<void> {
    while (!ended.signal.aborted) {
      await watchOnce().catch((error) => {
        if (!ended.signal.aborted && failures === 1) log.warn({ err: error }, "live streams get no hints");
      });
      await sleep(Math.min(firstDelayMs * 2 ** failures++, longestDelayMs), undefined, { signal: ended.signal }).catch(
        () => {},
      );
    }
  }

  void run();
  return () => ended.abort();
}

/** The service sends something every 5 s. */
const silenceMs = 15_000;

/** A new call may reach another process of the service. */
const longestCallMs = 600_000;

const firstDelayMs = 50;
const longestDelayMs = 5_000;
