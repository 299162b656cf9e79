// Runs test files in this process, one after the other. A room must close everything that it opened: a process that does not end within a
// minute after its last test has failed.
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { run } from "uvu/run";
import { startStopwatch } from "./stopwatch.ts";

const whole = startStopwatch();
process.on("exit", () => console.log(`room: ${whole()}`));

// Not by an option, which started processes would inherit: reading the maps is a seventh of each start.
process.setSourceMapsEnabled(true);
const names = process.argv.slice(2).map((path) => relative(process.cwd(), path));
// prebuild.ts has set where the compiled files are; uvu adds the first slash.
const folder = process.env.PREBUILT as string;
const compiled = (name: string) => pathToFileURL(join(folder, name.replace(/ts$/, "mjs"))).pathname.slice(1);
await run(names.map((name) => ({ name, file: compiled(name) })));

setTimeout(() => {
  console.error(`something was left open: ${process.getActiveResourcesInfo().join(", ")}`);
  process.exit(1);
}, 60_000).unref();
