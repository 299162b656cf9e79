import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { type Supervised, supervise } from "../../services/local/supervise.ts";
import { eventually } from "../support/eventually.ts";
import { suite } from "../support/suite.ts";

const Supervise = suite("supervision");
let folder: string;
let supervised: Supervised | undefined;

Supervise.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), "roost-supervise-"));
});
Supervise.after.each(async () => {
  await supervised?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A program that records the time of each start, and fails in the runs of these numbers. */
function program(failing: readonly number[]): { main: string; starts(): number[]; reportedReady(): string } {
  const [main, starts, ready] = [join(folder, "program.mjs"), join(folder, "starts"), join(folder, "ready")];
  for (const file of [starts, ready]) writeFileSync(file, "");
  writeFileSync(
    main,
    `import { appendFileSync, readFileSync } from "node:fs";
     appendFileSync(${JSON.stringify(starts)}, Date.now() + "\\n");
     const run = readFileSync(${JSON.stringify(starts)}, "utf8").trim().split("\\n").length;
     if (${JSON.stringify(failing)}.includes(run)) process.exit(1);
     process.on("SIGTERM", () => process.exit(0));
     process.on("disconnect", () => process.exit(0));
     process.send({ ready: "run " + run }, () => appendFileSync(${JSON.stringify(ready)}, run + " "));`,
  );
  return {
    main,
    starts: () => readFileSync(starts, "utf8").trim().split("\n").map(Number),
    reportedReady: () => readFileSync(ready, "utf8"),
  };
}

Supervise("restarts a failing process at growing intervals, shorter again after a success", async () => {
  const { main, starts, reportedReady } = program([2, 3, 4]);
  const environment = { PATH: process.env.PATH };
  supervised = await supervise({ name: "x", main, environment, logs: folder, say: () => {} });
  assert.is(supervised.url, "run 1");
  process.kill(supervised.pid() as number, "SIGKILL");
  await eventually("the fifth run", async () => starts().length === 5);
  const [, second, third, fourth, fifth] = starts() as [number, number, number, number, number];
  assert.ok(third - second >= 600 && fourth - third >= 1_200 && fifth - fourth >= 2_400, starts().join());
  await eventually("its report that it is ready", async () => reportedReady().endsWith("5 "));
  const killed = Date.now();
  process.kill(supervised.pid() as number, "SIGKILL");
  await eventually("the sixth run", async () => starts().length === 6);
  // A fourth failure in a row would wait for 4.8 s.
  assert.ok((starts().at(-1) as number) - killed < 4_500, `${(starts().at(-1) as number) - killed} ms`);
});

Supervise.run();
