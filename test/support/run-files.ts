// Runs the test files named on the command line in this process, one after the other. A room has to let go of all that it
// opened: a process that does not end by itself within a minute of its last test has failed.
import { relative } from "node:path";
import { run } from "uvu/run";

const files = process.argv.slice(2);
await run(files.map((file) => ({ name: relative(process.cwd(), file), file })));

setTimeout(() => {
  console.error(`something was left open: ${process.getActiveResourcesInfo().join(", ")}`);
  process.exit(1);
}, 60_000).unref();
