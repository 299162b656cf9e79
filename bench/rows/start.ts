import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { sendRequest } from "../load/send-request.ts";
import type { Row } from "../row.ts";
import { killAtExit } from "../system/kill-at-exit.ts";
import { benchEnvironment, makeHome } from "../system/start-system.ts";

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
