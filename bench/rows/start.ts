import { type ChildProcess, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { exitOf } from "../../services/local/child-exit.ts";
import { sendRequest } from "../load/send-request.ts";
import type { Row } from "../row.ts";
import { startCommand } from "../side.ts";
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
    const { root } = side;
    const home = makeHome();
    defer(() => rmSync(home, { recursive: true, force: true }));
    const env = await benchEnvironment(home, {});
    const round = async () => {
      const start = performance.now();
      // The command of `npm start`, which becomes the launcher, so that a signal reaches it.
      const child = spawn("sh", ["-c", startCommand(root)], { cwd: root, env, stdio: "ignore" });
      killAtExit(() => child.kill());
      try {
        await untilReady(child, `http://127.0.0.1:${env.GATEWAY_PORT}`);
        return { value: (performance.now() - start) / 1_000 };
      } finally {
        child.kill();
        await exitOf(child);
      }
    };
    await round();
    return round;
  },
};

async function untilReady(child: ChildProcess, url: string): Promise<void> {
  const isReady = () =>
    sendRequest(url, "/readyz", {}).then(
      ({ status }) => status === 200,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error("npm start has ended");
    await sleep(10);
  }
}
