import { type Facet, facets, type States, type Subject } from "./facets.ts";

export interface Verdict {
  reads: number;
  writes: number;
  /** Reads of a state older than a change that was answered before the read began, or of a state that never was. */
  stale: string[];
  /** Reads of a state older than what the same reader had seen before. */
  nonMonotonic: string[];
  /** Differences from the acknowledged writes after the last write. */
  lost: string[];
  /** Reads without a reply, or with an error. */
  failed: string[];
  /** Reads of a process that was just killed; not counted as reads. */
  unavailable: number;
}

export function newVerdict(): Verdict {
  return { reads: 0, writes: 0, stale: [], nonMonotonic: [], lost: [], failed: [], unavailable: 0 };
}

export function describe({ reads, writes, stale, nonMonotonic, lost, failed, unavailable }: Verdict): string {
  return (
    `${reads} reads, ${writes} writes, ${stale.length} stale, ${nonMonotonic.length} non-monotonic, ` +
    `${lost.length} lost, ${failed.length} failed, ${unavailable} unavailable`
  );
}

/** The number of acknowledged changes of each facet, in the order of the facets; to be taken before a read. */
export type Moment = readonly number[];

export function momentOf({ histories }: Subject): Moment {
  return facets.map((facet) => histories[facet].acknowledged);
}

export type Judge = ReturnType<typeof createJudge>;

/** Compares what one reader sees with the history and with what the same reader has seen before. */
export function createJudge(verdict: Verdict) {
  /** By user and facet, the index of the oldest state that the reader may have seen last. */
  const seen = new Map<string, number>();
  const open: (() => void)[] = [];

  function noteFacet(user: Subject, facet: Facet, state: string, from: number, where: string): void {
    const history = user.histories[facet];
    const key = `${user.index} ${facet}`;
    const before = seen.get(key) ?? 0;
    const to = history.begun;
    const line = `${user.screenName}'s ${facet} by ${where}: ${state}; answered ${from}, begun ${to}, seen ${before}`;
    const index = history.find(state, from, to, before);
    if (index === -1) {
      const isOlder = history.find(state, from, to) !== -1;
      verdict[isOlder ? "nonMonotonic" : "stale"].push(line);
      return;
    }
    seen.set(key, index);
    if (!history.knows(index)) open.push(() => history.find(state, from, to) === -1 && verdict.stale.push(line));
  }

  return {
    /** @param from the moment before the read; the read ends now */
    note(user: Subject, states: States, from: Moment, where: string): void {
      for (const [index, facet] of facets.entries()) {
        const state = states[facet];
        if (state !== undefined) noteFacet(user, facet, state, from[index] as number, where);
      }
    },
    /** To be called when no change is under way any more: judges what was read of states that were unknown then. */
    settle(): void {
      for (const judge of open.splice(0)) judge();
    },
  };
}
