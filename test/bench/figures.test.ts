import { spawn } from "node:child_process";
import { once } from "node:events";
import * as assert from "uvu/assert";
import { runAtOnce } from "../../bench/load/at-once.ts";
import { zipfDraw } from "../../bench/load/zipf.ts";
import { findProcess, processorSeconds } from "../../bench/system/processes.ts";
import { eventually } from "../support/eventually.ts";
import { suite } from "../support/suite.ts";

const Figures = suite("bench figures");

Figures("draws by Zipf's law, the first twice as often as the second, and repeats the same draw", () => {
  const draw = zipfDraw(1_000, 100_000);
  const share = (index: number) => draw.filter((drawn) => drawn === index).length / draw.length;
  const harmonic = Array.from({ length: 1_000 }, (_, index) => 1 / (index + 1)).reduce((a, b) => a + b);
  assert.ok(Math.abs(share(0) - 1 / harmonic) < 0.01);
  assert.ok(Math.abs(share(1) - 1 / 2 / harmonic) < 0.01);
  assert.ok(draw.some((index) => index > 990));
  assert.equal(draw, zipfDraw(1_000, 100_000));
});

Figures("runs so many tasks a few at a time, each once", async () => {
  const begun: number[] = [];
  let [running, most] = [0, 0];
  const { requests } = await runAtOnce(3, { count: 10 }, async (index) => {
    begun.push(index);
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 1));
    running--;
  });
  assert.equal([requests, most, begun], [10, 3, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]]);
});

// Only Linux has /proc.
if (process.platform === "linux")
  Figures("counts the processor time of all processes below one, of those that have ended as well", async () => {
    // Half a second of processor time, however busy the machine is.
    const busy =
      "const used = () => { const { user, system } = process.cpuUsage(); return user + system; }; while (used() < 500_000);";
    const script = `
      const { spawnSync, spawn } = require("node:child_process");
      spawnSync(process.execPath, ["-e", ${JSON.stringify(busy)}]);
      spawn(process.execPath, ["-e", ${JSON.stringify(`${busy} setInterval(() => {}, 1000);`)}, "sta" + "ys"]);
    `;
    const top = spawn(process.execPath, ["-e", script], { detached: true, stdio: "ignore" });
    const pid = top.pid as number;
    try {
      await eventually("the second process", async () => findProcess(pid, "stays") !== undefined);
      assert.is.not(findProcess(pid, "stays"), pid);
      await eventually("the processor time of both", async () => (processorSeconds([pid]) ?? 0) >= 0.95);
      assert.is(findProcess(pid, "never"), undefined);
    } finally {
      process.kill(-pid, "SIGKILL");
      await once(top, "exit");
    }
  });

Figures.run();
