import { churn } from "./churn/churn.ts";
import { readCounts } from "./command-line.ts";
import { unlimitedWrites } from "./system/unlimited-writes.ts";
import { withEmptySystem } from "./system/with-empty-system.ts";

const help = `usage: node --import tsx bench/churn.ts [ACTIONS] [PROCESSES] [PEOPLE] [SEED]

Runs that many random follows, blocks, favourites, reposts, publications, deletions and suspensions of that many people in that many
processes, then recounts every counter. Fails for a counter that is wrong, and for an unexpected refusal.

  node --import tsx bench/churn.ts 100000 8 200 1    the defaults`;
const [actions, processes, people, seed] = readCounts(help, [100_000, 8, 200, 1]) as [number, number, number, number];
const { done, seconds, refusals, drifts } = await withEmptySystem(
  ({ socialUrl }) => churn(socialUrl, { actions, processes, people, seed }),
  unlimitedWrites,
);
const answers = Object.entries(refusals).map(([code, count]) => `${code} ${count}`);
console.log(
  `${done} actions from ${processes} processes in ${seconds.toFixed(1)} s (${Math.round(done / seconds)} /s)`,
);
console.log(`answers: ${answers.join(", ")}`);
console.log(`drift: ${drifts.length}`);
for (const drift of drifts.slice(0, 20)) console.log(`  ${drift}`);

/** Ok, and the refusals of an action on a status that was just deleted, across a block, or about a suspended user. */
const due = ["Ok", "NotFound", "PermissionDenied"];
if (drifts.length > 0 || done < actions || Object.keys(refusals).some((code) => !due.includes(code))) {
  process.exitCode = 1;
}
