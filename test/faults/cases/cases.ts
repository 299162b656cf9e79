import type { FaultCase } from "../fault-case.ts";
import { clocks } from "./clocks.ts";
import { kills } from "./kills.ts";
import { pauses } from "./pauses.ts";
import { redisCases } from "./redis-cases.ts";
import { shortages } from "./shortages.ts";
import { wireCases } from "./wires.ts";

/** Every case, in the order of a full run. */
export const cases: readonly FaultCase[] = [...kills, ...redisCases, ...wireCases, ...shortages, ...clocks, ...pauses];
