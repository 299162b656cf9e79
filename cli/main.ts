import { run } from "./run.ts";

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // The reader of a pipe may close it, as `head` does: no failure. An import goes on, and its exit code says what came of it.
  if (error.code === "EPIPE" && process.argv[2] === "import") return;
  if (error.code === "EPIPE") process.exit(0);
  process.stderr.write(`The output cannot be written: ${error.message}\n`);
  process.exit(1);
});
process.exitCode = await run(process.argv.slice(2), process.stdout, process.stderr);
