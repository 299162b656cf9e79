import { type Facet, facets, type Sights, type Subject } from "./facets.ts";

/** What a check came to. */
export interface Verdict {
  reads: number;
  writes: number;
  /** Sights older than a change that was answered before the read began, or of no state that there ever was. */
  stale: string[];
  /** Sights older than what the same reader had seen before. */
  nonMonotonic: string[];
  /** What is not as the writers left it, after everything has come to rest. */
  lost: string[];
  /** Reads that had no reply, or one that is no answer. */
  failed: string[];
  /** Reads that met a process that was just ended: not counted as reads. */
  unavailable: number;
}

export function newVerdict(): Verdict {
  return { reads: 0, writes: 0, stale: [], nonMonotonic: [], lost: [], failed: [], unavailable: 0 };
}

/** Whether there is anything that may not be. */
export function isClean({ stale, nonMonotonic, lost, failed }: Verdict): boolean {
  return stale.length + nonMonotonic.length + lost.length + failed.length === 0;
}

export function describe({ reads, writes, stale, nonMonotonic, lost, failed, unavailable }: Verdict): string {
  return (
    `${reads} reads, ${writes} writes, ${stale.length} stale, ${nonMonotonic.length} non-monotonic, ` +
    `${lost.length} lost, ${failed.length} failed, ${unavailable} unavailable`
  );
}

/** What has come to a verdict since it was `before`. */
export function since(verdict: Verdict, before: Verdict): Verdict {
  const { reads, writes, stale, nonMonotonic, lost, failed, unavailable } = before;
  return {
    reads: verdict.reads - reads,
    writes: verdict.writes - writes,
    stale: verdict.stale.slice(stale.length),
    nonMonotonic: verdict.nonMonotonic.slice(nonMonotonic.length),
    lost: verdict.lost.slice(lost.length),
    failed: verdict.failed.slice(failed.length),
    unavailable: verdict.unavailable - unavailable,
  };
}

/** How many changes of each facet were acknowledged, in the order of the facets; to be taken before a read. */
export type Moment = readonly number[];

export function momentOf({ histories }: Subject): Moment {
  return facets.map((facet) => histories[facet].acknowledged);
}

/** A reader, who knows what it has seen, and holds each sight against the history. */
export interface Judge {
  /** @param from the moment before the read; the read ends now */
  note(user: Subject, sights: Sights, from: Moment, where: string): void;
  /** To be called when no change is under way any more: judges what could not be judged before. */
  settle(): void;
}

export function createJudge(verdict: Verdict): Judge {
  /** The oldest states that the reader may have seen last, by user and facet. */
  const seen = new Map<string, number>();
  const open: (() => void)[] = [];

  function noteFacet(user: Subject, facet: Facet, sight: string, from: number, where: string): void {
    const history = user.histories[facet];
    const key = `${user.index} ${facet}`;
    const before = seen.get(key) ?? 0;
    const to = history.begun;
    const line = `${user.screenName}'s ${facet} by ${where}: ${sight}; answered ${from}, begun ${to}, seen ${before}`;
    const index = history.find(sight, from, to, before);
    if (index === -1) {
      const isOlder = history.find(sight, from, to) !== -1;
      verdict[isOlder ? "nonMonotonic" : "stale"].push(line);
      return;
    }
    seen.set(key, index);
    if (!history.knows(index)) open.push(() => history.find(sight, from, to) === -1 && verdict.stale.push(line));
  }

  return {
    note(user, sights, from, where) {
      for (const [index, facet] of facets.entries()) {
        const sight = sights[facet];
        if (sight !== undefined) noteFacet(user, facet, sight, from[index] as number, where);
      }
    },
    settle() {
      for (const judge of open.splice(0)) judge();
    },
  };
}
