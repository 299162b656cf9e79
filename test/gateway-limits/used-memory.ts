import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Bytes in use after a garbage collection. */
export function usedMemory(kind: "arrayBuffers" | "heapUsed"): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage()[kind];
}
