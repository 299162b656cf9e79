import pg from "pg";

/**
 * A backup is the gzip of: a line with the header, the parts, and a line with the end. A part is a line that describes it; its rows, each a
 * line in the text format of COPY; a line `\.`; and a line that counts them. Rows hold no line feeds, and none is `\.`, since COPY
 * escapes both. All other lines are JSON.
 */
export interface Header {
  /** The version of this form. */
  "roost-backup": number;
  madeAt: string;
  /** Whether the databases are of one moment. Otherwise the accounts are the later ones. */
  isOneMoment: boolean;
  /** The names of the migrations that each schema has, in order. */
  migrations: Record<Service, string[]>;
}

/** The rows of a table, or the jobs of the outbox under the name `jobs`. */
export interface Part {
  /** The schema, and the database. */
  service: Service;
  table: string;
  columns: string[];
}

/** What follows the rows of a part. */
export interface PartEnd {
  rows: number;
  /** Of the rows with their line feeds. */
  sha256: string;
}

/** The last line. */
export interface End {
  parts: number;
  /** By their names with their schema. */
  sequences: Record<string, SequenceState>;
  /** Of all lines before. */
  sha256: string;
}

export interface SequenceState {
  service: Service;
  /** Text, since it has 64 bits. */
  value: string;
  isCalled: boolean;
}

/** The version of the form that this release writes, and the only one that it reads. */
export const formatVersion = 1;

/** The part of the outbox's jobs: its columns are arguments of the library's add_job, which every version of its tables has. */
export const jobs: Part = {
  service: "account",
  table: "jobs",
  columns: ["identifier", "payload", "queue_name", "run_at", "max_attempts", "job_key", "priority"],
};

/** The name of a table or a sequence, for statements. */
export function nameOf({ service, table }: Pick<Part, "service" | "table">): string {
  return `${pg.escapeIdentifier(service)}.${pg.escapeIdentifier(table)}`;
}

/** How many line feeds there are: each ends a row. */
export function countLines(chunk: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) count++;
  return count;
}

/** The name of a service, of its schema, and of its role in the embedded Postgres. */
export type Service = "account" | "social";
