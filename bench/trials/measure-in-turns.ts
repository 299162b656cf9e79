import type { Draw, Load, Measured } from "../load/load.ts";
import type { Plan } from "./plan.ts";

/** A server and the requests for it. */
export interface MeasuredServer {
  url: string;
  draw: Draw;
  /** It has replies that expire while the others have their turns: some load comes before each turn. */
  expires: boolean;
  /** Runs one turn; set when something is to be counted around it. */
  around?(turn: () => Promise<Measured>): Promise<Measured>;
}

/** Measures servers round after round, each in its turn, the first time after a warm-up. The result has one list per server. */
export async function measureInTurns(
  servers: readonly MeasuredServer[],
  connections: number,
  load: Load,
  { rounds, seconds, warmUp, again }: Plan,
): Promise<Measured[][]> {
  const results = servers.map((): Measured[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, { url, draw, expires, around = once }] of servers.entries()) {
      const unmeasured = round === 0 ? warmUp : expires ? again : 0;
      if (unmeasured > 0) await load(url, draw, { connections, seconds: unmeasured });
      results[index]?.push(await around(() => load(url, draw, { connections, seconds })));
    }
  }
  return results;
}

function once(turn: () => Promise<Measured>): Promise<Measured> {
  return turn();
}
