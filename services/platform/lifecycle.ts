import { setTimeout as sleep } from "node:timers/promises";
import { createLog, type Log } from "./log.ts";
import { limitThreadPool } from "./thread-pool.ts";

/** A process that answers requests. */
export interface Running {
  /** Where it answers, as an absolute URL. */
  url: string;
  /** Ends it: no new requests are taken, running ones finish. */
  close(): Promise<void>;
}

/**
 * The time between announcing a stop and closing. In its first half everything is served as usual while balancers notice. In the
 * second half replies end their connections; otherwise a busy one would be closed while its next request is on the way.
 * @param ms milliseconds of both halves together
 */
export async function drain(ms: number, endConnections: () => void): Promise<void> {
  await sleep(ms / 2);
  endConnections();
  await sleep(ms / 2);
}

/** Milliseconds that a stop may take before the process ends all the same. */
const stopTimeoutMs = 10_000;

/**
 * Runs one process: reads its settings, starts it, tells a parent process where it answers, and closes it on SIGTERM, on SIGINT,
 * and when the parent ends, so that a killed parent leaves no orphan. Exits with 1 when the settings are faulty or the start
 * fails.
 */
export async function runProcess<C extends { logLevel: string }>(
  name: string,
  loadConfig: () => C,
  start: (config: C, log: Log) => Promise<Running>,
): Promise<void> {
  limitThreadPool();
  let log = createLog(name, "info");
  process.on("unhandledRejection", (reason) => {
    log.fatal({ err: reason }, "unhandled rejection");
    process.exit(1);
  });
  try {
    const config = loadConfig();
    log = createLog(name, config.logLevel);
    const running = await start(config, log);
    stopOnSignals(log, running);
    log.info({ url: running.url }, "ready");
    process.send?.({ ready: running.url });
  } catch (error) {
    log.fatal({ err: error }, "cannot start");
    process.exitCode = 1;
    process.disconnect?.();
    setTimeout(() => process.exit(), 1_000).unref();
  }
}

function stopOnSignals(log: Log, running: Running): void {
  let stopping = false;
  const stop = (reason: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ reason }, "stopping");
    setTimeout(() => process.exit(1), stopTimeoutMs).unref();
    running.close().then(
      () => process.exit(0),
      (error) => {
        log.error({ err: error }, "the stop failed");
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  process.on("disconnect", () => stop("the parent process is gone"));
}
