import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { run } from "../../cli/run.ts";

const main = fileURLToPath(new URL("../../cli/main.ts", import.meta.url));

/** Starts the tool in a process of its own, as npm does, and collects its output. */
export function startCli(args: string[], env: NodeJS.ProcessEnv = {}, nodeOptions: string[] = []) {
  const child: ChildProcess = spawn(process.execPath, [...nodeOptions, ...process.execArgv, main, ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [out, err] = ["", ""];
  child.stdout?.on("data", (text) => (out += text));
  child.stderr?.on("data", (text) => (err += text));
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, out, err }));
  return { child, ended };
}

/**
 * Runs the tool in this process, which takes a tenth of the time. Only one at a time: it changes the environment of the process.
 * @param input the contents of standard input
 */
export async function runHere(args: string[], env: NodeJS.ProcessEnv = {}, input = "") {
  const before = { ...process.env };
  Object.assign(process.env, env);
  const [out, err] = [new Output(), new Output()];
  try {
    const code = await run(args, out, err, Readable.from(input === "" ? [] : [input]));
    return { code, out: out.text, err: err.text };
  } finally {
    process.env = before;
  }
}

class Output extends Writable {
  text = "";

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}
