import { run } from "./run.ts";

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // The reader of a pipe may close it, as `head` does: no failure.
  if (error.code === "EPIPE") process.exit(0);
  process.stderr.write(`The output cannot be written: ${error.message}\n`);
  process.exit(1);
});
process.exitCode = await run(process.argv.slice(2), process.stdout, process.stderr);
