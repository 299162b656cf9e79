import { join } from "node:path";
import type { FaultCase } from "../fault-case.ts";
import { pidOfRole } from "./kills.ts";

const steps = (["gateway", "account", "social"] as const).flatMap((role) => [
  { role, signal: "SIGUSR2" as const },
  { role, signal: "SIGHUP" as const },
]);

/** One process's clock is an hour ahead, or behind, for 5 s: ids, tokens, sessions and deadlines must not suffer. */
export const clocks: readonly FaultCase[] = [
  {
    name: "clock-step",
    title: "the clock of one process after the other steps an hour ahead, an hour back, and right again",
    times: steps.length,
    harmless: true,
    environment: () => ({
      why: "steps Date in our own three processes (clock-step.ts); the clocks of Postgres and Redis are LEFT OUT: libfaketime does not get along with the allocator of Redis, and Postgres starts with an environment of its own",
      options: {
        settings: { NODE_OPTIONS: `--import tsx --import ${join(import.meta.dirname, "../clock-step.ts")}` },
      },
      leave() {},
    }),
    fault(rig, time) {
      const { role, signal } = steps[time % steps.length] as (typeof steps)[number];
      const send = async (signal: NodeJS.Signals) => void process.kill(await pidOfRole(rig, role), signal);
      return { begin: () => send(signal), holdMs: 5_000, end: () => send("SIGWINCH") };
    },
  },
];
