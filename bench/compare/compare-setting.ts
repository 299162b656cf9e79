import { join } from "node:path";
import { largeDataset } from "../dataset/dataset.ts";
import type { Load, Measured } from "../load/load.ts";
import type { BenchEnvironment, MeasuredSystem } from "../system/environment.ts";
import { measureInTurns } from "../trials/measure-in-turns.ts";
import type { Plan } from "../trials/plan.ts";
import { prepareDraw } from "../trials/prepare-draw.ts";
import { median, ratiosOf } from "../trials/summarize.ts";
import type { Trial } from "../trials/trial.ts";

/** Runs the cases of one setting on the base in `root` and on this checkout, and prints a line for each. */
export async function compareSetting(
  environment: BenchEnvironment,
  baseRoot: string,
  trials: readonly Trial[],
  load: Load,
  plan: Plan,
  say: (line: string) => void,
): Promise<void> {
  const measured: MeasuredSystem[] = [];
  try {
    for (const root of [baseRoot, ownRoot]) {
      const sharedRedis = measured[0]?.redis;
      measured.push(await environment.startSystem(root, largeDataset, (trials[0] as Trial).setting, { sharedRedis }));
    }
    for (const trial of trials) {
      say(`measuring ${trial.title}`);
      // Each side has its own entity tags.
      const draws = measured.map(async ({ system: { url } }) => ({
        url,
        draw: (await prepareDraw(trial, url)).draw,
        expires: true,
      }));
      const [base = [], branch = []] = await measureInTurns(await Promise.all(draws), trial.connections, load, plan);
      console.log(line(trial, base, branch));
    }
  } finally {
    // The first one stops the Redis.
    for (const { stop } of measured.toReversed()) await stop();
  }
}

const ownRoot = join(import.meta.dirname, "../..");

/** The ratio is the median of the rounds' own ratios; the smallest and the largest follow and show how noisy the machine is. */
function line({ title }: Trial, base: readonly Measured[], branch: readonly Measured[]): string {
  const perSecond = (rounds: readonly Measured[]) => Math.round(median(rounds.map((round) => round.perSecond)));
  const p99 = (rounds: readonly Measured[]) => median(rounds.map((round) => round.p99)).toFixed(1);
  const ratios = ratiosOf(branch, base);
  const [middle, least, most] = [median(ratios), Math.min(...ratios), Math.max(...ratios)].map((ratio) =>
    ratio.toFixed(2),
  );
  const errors = [...base, ...branch].reduce((sum, round) => sum + round.errors, 0);
  if (errors > 0) return `| ${title} | ${errors} errors | | | |`;
  const cells = [
    title,
    perSecond(base),
    perSecond(branch),
    `${middle} (${least} to ${most})`,
    `${p99(base)} → ${p99(branch)}`,
  ];
  return `| ${cells.join(" | ")} |`;
}
