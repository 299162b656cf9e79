import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { allNames } from "../dataset/datasets.ts";
import { runAtOnce } from "../load/at-once.ts";
import { connections } from "../load/load.ts";
import { randomNumbers } from "../load/random.ts";
import { sendRequest } from "../load/send-request.ts";
import { NotSupported, type Row } from "../row.ts";
import type { SystemKind } from "../side.ts";
import { killAtExit } from "../system/kill-at-exit.ts";
import { peakMemory } from "../system/processes.ts";
import { benchEnvironment, makeHome } from "../system/start-system.ts";
import { bearer, drawNames, registerViewer, type Viewer } from "./targets.ts";

/** `npm start` on data that an earlier start has made, sample data included. */
export const secondStart: Row = {
  name: "start",
  title: "second `npm start`, until it answers",
  unit: "s",
  floor: { atMost: 3 },
  async prepare(side, { defer }) {
    // Nothing else runs beside it.
    await side.stop();
    const home = makeHome();
    defer(() => rmSync(home, { recursive: true, force: true }));
    const env = await benchEnvironment(home, {});
    const round = async () => {
      const start = performance.now();
      // A process group of its own: npm and the launcher, which stops the others.
      const child = spawn("npm", ["start"], { cwd: side.root, env, stdio: "ignore", detached: true });
      const group = -(child.pid as number);
      killAtExit(() => signal(group, "SIGTERM"));
      try {
        const isReady = () => isAnswered(`http://127.0.0.1:${env.GATEWAY_PORT}`);
        while (!(await isReady())) {
          if (child.exitCode !== null) throw new Error("npm start has ended");
          await sleep(10);
        }
        return { value: (performance.now() - start) / 1_000 };
      } finally {
        signal(group, "SIGTERM");
        while (signal(group, 0)) await sleep(50);
      }
    };
    await round();
    return round;
  },
};

async function isAnswered(url: string): Promise<boolean> {
  try {
    return (await sendRequest(url, "/readyz", {})).status === 200;
  } catch {
    return false;
  }
}

/** Sends a signal to a process group, 0 for none; false when it is gone. */
function signal(group: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(group, name);
  } catch {
    return false;
  }
}

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

const viewers = 600;

/** Each reply is another one, so that every cache of the gateway fills. */
export const memory: Row = {
  name: "memory",
  title: `${viewers} viewers look up random lists of 30 names`,
  unit: "MB of the gateway at most",
  floor: { atMost: 200 },
  isOnce: true,
  async prepare(side, { isLong, seconds: turn }) {
    // A kind of its own, so that no other row has used the gateway before.
    const { url, gatewayPid } = await side.system({
      hasDataset: true,
      settings: { PASSWORD_HASH_MEMORY_KIB: "8", PASSWORD_HASH_PASSES: "1" },
    });
    const all: Viewer[] = [];
    await runAtOnce(connections, { count: viewers }, async () => all.push(await registerViewer(url)));
    const random = randomNumbers(30);
    const seconds = isLong ? 480 : 10 * turn;
    return async () => {
      const { perSecond, p99 } = await runAtOnce(connections, { seconds }, async () => {
        const viewer = all[Math.floor(random() * viewers)] as Viewer;
        const { status } = await sendRequest(
          url,
          `/social/${drawNames(allNames, 30, random).join(",")}`,
          bearer(viewer),
        );
        if (status !== 200) throw new Error(`a lookup was answered ${status}`);
      });
      const value = peakMemory(gatewayPid());
      if (value === undefined) throw new NotSupported("there is no /proc");
      return { value, perSecond, p99 };
    };
  },
};
