// `node --import tsx bench/churn.ts [ACTIONS] [PROCESSES] [PEOPLE] [SEED]`: so many random follows, blocks, favourites, reposts,
// publications, deletions and suspensions from so many processes, then every counter is recounted. No drift, no refusal that is not due.
import { churn } from "./churn/churn.ts";
import { withEmptySystem } from "./system/with-empty-system.ts";

const [actions = 100_000, processes = 8, people = 200, seed = 1] = process.argv.slice(2).map(Number);
const { done, seconds, refusals, drifts } = await withEmptySystem(({ socialUrl }) =>
  churn(socialUrl, { actions, processes, people, seed }),
);
const answers = Object.entries(refusals).map(([code, count]) => `${code} ${count}`);
console.log(
  `${done} actions from ${processes} processes in ${seconds.toFixed(1)} s (${Math.round(done / seconds)} /s)`,
);
console.log(`answers: ${answers.join(", ")}`);
console.log(`drift: ${drifts.length}`);
for (const drift of drifts.slice(0, 20)) console.log(`  ${drift}`);

/** Ok, and what an action is answered whose status was just deleted, or that goes across a block or is about a suspended user. */
const due = ["Ok", "NotFound", "PermissionDenied"];
if (drifts.length > 0 || done < actions || Object.keys(refusals).some((code) => !due.includes(code))) {
  process.exitCode = 1;
}
