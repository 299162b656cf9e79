import type { FaultCase } from "../fault-case.ts";
import { kills } from "./kills.ts";

/** Every case, in the order of a full run. */
export const cases: readonly FaultCase[] = [...kills];
