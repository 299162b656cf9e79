import { ImportOutcome, type ImportResult } from "../../proto/gen/social/v1/import_service_pb.ts";
import type { ImportReporter } from "./reporter.ts";
import type { Kind } from "./source.ts";
import { emptyTally, sumOf, type Tally } from "./tally.ts";

/** What became of everything. Each user and each status counts once; refused ones each time that they are reported. */
export interface ImportSummary {
  users: Tally;
  statuses: Tally;
  /** Users, statuses, and what is neither: unknown items and files that cannot be read to their end. */
  total: Tally;
  /** Embedded statuses that do not say whose they are, each once; not among the refused. */
  leftOut: number;
}

/** Keeps count of an import, and passes every refusal on to the reporter. */
export interface Ledger {
  /** Counts and reports a refusal; `kind` is undefined for what is neither user nor status. */
  refuse(kind: Kind | undefined, place: string, reason: string): void;
  /** Counts a service's answer about one item; answers the reason when it was refused. */
  record(kind: Kind, place: string, result: ImportResult): string | undefined;
  /** Counts embedded statuses without an author. */
  leaveOut(statuses: number): void;
  summary(): ImportSummary;
}

/** An empty ledger. */
export function createLedger(report: ImportReporter): Ledger {
  const tallies = { user: emptyTally(), status: emptyTally(), other: emptyTally() };
  let leftOut = 0;
  const refuse: Ledger["refuse"] = (kind, place, reason) => {
    tallies[kind ?? "other"].refused++;
    report.refused(place, reason);
  };
  return {
    refuse,
    record(kind, place, result) {
      const outcome = outcomes[result.outcome];
      if (outcome !== undefined) {
        tallies[kind][outcome]++;
        return undefined;
      }
      const reason = result.refusal || "the service gave no reason";
      refuse(kind, place, reason);
      return reason;
    },
    leaveOut: (statuses) => {
      leftOut += statuses;
    },
    summary: () => ({
      users: { ...tallies.user },
      statuses: { ...tallies.status },
      total: sumOf(Object.values(tallies)),
      leftOut,
    }),
  };
}

const outcomes: Partial<Record<ImportOutcome, "added" | "updated" | "unchanged">> = {
  [ImportOutcome.ADDED]: "added",
  [ImportOutcome.UPDATED]: "updated",
  [ImportOutcome.UNCHANGED]: "unchanged",
};
