import type { Draw, Load, Measured } from "../load/load.ts";
import type { Plan } from "./plan.ts";

/** A server and the requests for it. */
export interface Contender {
  url: string;
  draw: Draw;
  /** Runs one turn; set when something is to be counted around it. */
  around?(turn: () => Promise<Measured>): Promise<Measured>;
}

/**
 * Measures servers round after round, each in its turn, after a warm-up of each. Each turn begins with some load that is not
 * measured, because cached replies have expired while the others had their turns. The result has one list per server.
 */
export async function measureInTurns(
  contenders: readonly Contender[],
  connections: number,
  load: Load,
  { rounds, seconds, warmUp, again }: Plan,
): Promise<Measured[][]> {
  for (const { url, draw } of contenders) await load(url, draw, { connections, seconds: warmUp });
  const results = contenders.map((): Measured[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, { url, draw, around = once }] of contenders.entries()) {
      await load(url, draw, { connections, seconds: again });
      results[index]?.push(await around(() => load(url, draw, { connections, seconds })));
    }
  }
  return results;
}

function once(turn: () => Promise<Measured>): Promise<Measured> {
  return turn();
}
