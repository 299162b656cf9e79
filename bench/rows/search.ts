import { recordReplies } from "../baselines/recording.ts";
import { allNames, readNames } from "../dataset/datasets.ts";
import type { Target } from "../load/load.ts";
import type { Row } from "../row.ts";
import { drawOf, perSecondOf, takeTurn, uncached } from "./reads.ts";

/** A word that two thirds of all statuses have. */
const common = ["the"];
/** Words that one status in two thousand has: each mentions another author. */
const rare = readNames.slice(0, 200);
/** What people have typed of a name: ten or eleven authors each. */
const typed = allNames.slice(100, 1_000);

/** Searches: nothing of them is ever cached. */
export const searches: readonly Row[] = [
  {
    name: "search-users",
    title: "a search for users that finds eleven",
    unit: "a second",
    floor: { atLeast: 2_000 },
    async prepare(side, run) {
      const system = await side.system(uncached);
      const targets = await answered(system.url, targetsOf("users", typed));
      return perSecondOf(system, targets, run);
    },
  },
  {
    name: "search-statuses",
    title: "a search for 20 statuses with a common word",
    unit: "a second",
    floor: { atLeast: 300 },
    async prepare(side, run) {
      const system = await side.system(uncached);
      const targets = await answered(system.url, targetsOf("statuses", common));
      return perSecondOf(system, targets, run);
    },
  },
  {
    name: "search-statuses-rare",
    title: "the same with a rare word",
    unit: "of the common word's",
    floor: { atLeast: 0.5, atMost: 2 },
    async prepare(side, run) {
      const system = await side.system(uncached);
      const [many, few] = [targetsOf("statuses", common), targetsOf("statuses", rare)];
      await answered(system.url, [...many, ...few]);
      return async () => {
        const other = await takeTurn(system, drawOf(many), run);
        const turn = await takeTurn(system, drawOf(few), run);
        return { ...turn, value: turn.perSecond / other.perSecond };
      };
    },
  },
];

function targetsOf(kind: "users" | "statuses", words: readonly string[]): Target[] {
  return words.map((word) => ({ path: `/social/search/${kind}?take=20&q=${word}`, headers: {} }));
}

/** The same targets. @throws Error when one of them is not answered */
async function answered(url: string, targets: Target[]): Promise<Target[]> {
  await recordReplies(url, targets, 200);
  return targets;
}
