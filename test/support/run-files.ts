// Runs the test files of the command line in this process, one after the other, and prints the time of each. A room must close
// everything that it opened: a process that does not end within a minute after its last test has failed.
import { relative } from "node:path";
import { pathToFileURL } from "node:url";
import { patchUvu } from "./patch-uvu.ts";
import { startStopwatch } from "./stopwatch.ts";

type Task = () => Promise<[errors: string | true, passed: number, skipped: number, total: number]>;

declare global {
  var UVU_DEFER: number;
  var UVU_INDEX: number;
  var UVU_QUEUE: (string | Task)[][];
}

const whole = startStopwatch();
process.on("exit", () => console.log(`room: ${whole()}`));

if (process.env.PREBUILT === undefined) patchUvu();
// Not by an option, which started processes would inherit: reading the maps is a seventh of each start.
process.setSourceMapsEnabled(true);
// As in uvu's own runner. Both must be set before the first file loads uvu.
globalThis.UVU_DEFER = 1;
globalThis.UVU_QUEUE = [];
const { exec } = await import("uvu");
for (const [index, path] of process.argv.slice(2).entries()) {
  globalThis.UVU_INDEX = index;
  UVU_QUEUE.push([relative(process.cwd(), path)]);
  await import(pathToFileURL(path).href);
}
UVU_QUEUE.forEach(measure);
console.log(`imports: ${whole()}`);
await exec();

setTimeout(() => {
  console.error(`something was left open: ${process.getActiveResourcesInfo().join(", ")}`);
  process.exit(1);
}, 60_000).unref();

/** Measures each file: its suites follow its name. */
function measure(file: (string | Task)[]): void {
  let elapsed = startStopwatch();
  const nothing = [true, 0, 0, 0] as Awaited<ReturnType<Task>>;
  file.splice(1, 0, async () => {
    elapsed = startStopwatch();
    return nothing;
  });
  file.push(async () => {
    console.log(`  ${elapsed()}`);
    return nothing;
  });
}
