import { spawnSync } from "node:child_process";
import { autocannonLoad } from "./autocannon.ts";
import type { Load } from "./load.ts";
import { wrkLoad } from "./wrk.ts";

/** The load generator of this run, and remarks about it. */
export interface Driver {
  name: string;
  load: Load;
}

/** wrk if it is installed, otherwise autocannon. */
export function chooseDriver(): Driver {
  // wrk exits with 1 when it prints its version.
  const { stdout, error } = spawnSync("wrk", ["--version"], { encoding: "utf8" });
  if (error === undefined) return { name: stdout.split(" Copyright")[0]?.trim() ?? "wrk", load: wrkLoad };
  return {
    name: "autocannon, since wrk is not installed: it tops out near 40,000 requests/s, so that ratios say less",
    load: autocannonLoad,
  };
}
