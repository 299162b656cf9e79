import { ImportOutcome, type ImportResult } from "../../proto/gen/social/v1/import_service_pb.ts";
import type { Reporter } from "../reporter.ts";
import type { ImportClients } from "./services.ts";
import type { Kind } from "./source.ts";
import type { StatusSpool } from "./status-spool.ts";

/** Counts of items by outcome. */
export interface Counts {
  added: number;
  updated: number;
  unchanged: number;
  refused: number;
}

/** The result of an import. Each user and each status counts once; refused ones each time that they are reported. */
export interface ImportSummary {
  users: Counts;
  statuses: Counts;
  /** Users, statuses, and others: unknown items and files that cannot be read to their end. */
  total: Counts;
  /** How many statuses were left out, each once, by the reason; they do not count as refused. */
  leftOut: Readonly<Record<string, number>>;
  /** How many records had a field that broke a rule, by the field's name; it got its default. */
  defaulted: Readonly<Record<string, number>>;
}

/** Counts the outcomes of an import, and passes every refusal on to the reporter. */
export class ImportResults {
  readonly #report: Reporter;
  readonly #counts = { user: noCounts(), status: noCounts(), other: noCounts() };
  readonly #leftOut: Record<string, number> = {};
  readonly #defaulted: Record<string, number> = {};

  constructor(report: Reporter) {
    this.#report = report;
  }

  /** Counts and reports a refusal; `kind` is undefined for what is neither user nor status. */
  refuse(kind: Kind | undefined, place: string, reason: string): void {
    this.#counts[kind ?? "other"].refused++;
    this.#report.refused(place, reason);
  }

  /** Counts what is left out on purpose. */
  leaveOut(reason: string, count: number): void {
    if (count > 0) this.#leftOut[reason] = (this.#leftOut[reason] ?? 0) + count;
  }

  /** Counts the fields of one record that got their default. */
  noteDefaulted(fields: readonly string[]): void {
    for (const field of new Set(fields)) this.#defaulted[field] = (this.#defaulted[field] ?? 0) + 1;
  }

  /** Counts a service's answer about one item; returns the reason when it was refused. */
  record(kind: Kind, place: string, result: ImportResult): string | undefined {
    this.noteDefaulted(result.defaultedFields);
    if (result.outcome === ImportOutcome.ORIGINAL_UNKNOWN) {
      this.leaveOut(withoutOriginal, 1);
      return undefined;
    }
    const outcome = outcomes[result.outcome];
    if (outcome !== undefined) {
      this.#counts[kind][outcome]++;
      return undefined;
    }
    const reason = result.refusal || "the service gave no reason";
    this.refuse(kind, place, reason);
    return reason;
  }

  summary(): ImportSummary {
    const { user, status, other } = this.#counts;
    const total = noCounts();
    for (const name of names) total[name] = user[name] + status[name] + other[name];
    return { users: { ...user }, statuses: { ...status }, total, leftOut: this.#leftOut, defaulted: this.#defaulted };
  }
}

/** Counts as the last lines of an import show them: "added 151, updated 0, unchanged 0, refused 0". */
export function formatCounts(counts: Counts): string {
  return names.map((name) => `${name} ${counts[name]}`).join(", ");
}

/** Why a repost is left out whose original is not here. */
export const withoutOriginal = "reposts of statuses that are not here";

/** A line about what broke a rule: "got their default: profile_link_color 2"; none when nothing did. */
export function defaultedLines({ defaulted }: Pick<ImportSummary, "defaulted">): string[] {
  const fields = Object.entries(defaulted).map(([name, count]) => `${name} ${count}`);
  return fields.length === 0 ? [] : [`broke a rule and got their default: ${fields.join(", ")}`];
}

const names = ["added", "updated", "unchanged", "refused"] as const;

function noCounts(): Counts {
  return { added: 0, updated: 0, unchanged: 0, refused: 0 };
}

const outcomes: Partial<Record<ImportOutcome, "added" | "updated" | "unchanged">> = {
  [ImportOutcome.ADDED]: "added",
  [ImportOutcome.UPDATED]: "updated",
  [ImportOutcome.UNCHANGED]: "unchanged",
};

/** What the steps of one import share. */
export interface ImportContext {
  clients: ImportClients;
  results: ImportResults;
  report: Reporter;
  spool: StatusSpool;
  /** The system that gave the ids, as the services store it. */
  origin: string;
}
