import { setFlagsFromString } from "node:v8";

/**
 * Lets the heap grow to two and a half times what lives in it before V8 collects all of it again
 * (docs/decisions/garbage.md). To be called once, when a process starts.
 */
export function collectSeldom(): void {
  setFlagsFromString("--heap-growing-percent=150");
}
