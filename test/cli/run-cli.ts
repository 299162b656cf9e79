import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../../cli/main.ts", import.meta.url));

/** The tool in a process of its own, as npm starts it; what it writes is gathered. */
export function startCli(args: string[], env: NodeJS.ProcessEnv = {}, nodeOptions: string[] = []) {
  const child: ChildProcess = spawn(process.execPath, [...nodeOptions, "--import", "tsx", main, ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [out, err] = ["", ""];
  child.stdout?.on("data", (text) => (out += text));
  child.stderr?.on("data", (text) => (err += text));
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, out, err }));
  return { child, ended };
}

/** Runs the tool to its end. */
export function runCli(args: string[], env?: NodeJS.ProcessEnv) {
  return startCli(args, env).ended;
}
