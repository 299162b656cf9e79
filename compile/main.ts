// `exec node $(node --import tsx compile/main.ts [FOLDER...]) services/local/main.ts`, as `npm start` does: compiles the processes, and
// those of the named folders, and prints the options with which Node runs them.
import { join } from "node:path";
import { type CompilePlan, isCurrent, isStarted } from "./plan.ts";

const root = join(import.meta.dirname, "..");
const output = ".roost/compiled";
const folders = ["services", "gateway", ...process.argv.slice(2)];

const plan: CompilePlan = { root, folder: join(root, output), folders, isCompiled: isStarted, isShort: true };

try {
  // Imported here: loading the compiler takes as long as all the rest.
  if (!isCurrent(plan)) await (await import("./compile.ts")).compile(plan);
  // From the root, where npm runs scripts: in an absolute path a blank would end the option.
  console.log(`--require ./${output}/run-compiled.cjs`);
} catch (error) {
  // For example where another user owns the packages.
  console.error(`not compiled, so every process takes more memory: ${error instanceof Error ? error.message : error}`);
  console.log("--import tsx");
}
