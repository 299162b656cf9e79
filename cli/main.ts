import { run } from "./run.ts";

// A message that cannot be written does not stop a command: its exit code shows the result.
process.stderr.on("error", () => {});
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // The reader of a pipe may close it, as `head` does: no failure. A command that changes something continues, and its exit code shows
  // the result.
  if (error.code === "EPIPE" && ["import", "account"].includes(process.argv[2] ?? "")) return;
  if (error.code === "EPIPE") process.exit(0);
  process.stderr.write(`The output cannot be written: ${error.message}\n`);
  process.exit(1);
});
process.exitCode = await run(process.argv.slice(2), process.stdout, process.stderr);
