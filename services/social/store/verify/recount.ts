/** One counter that is not what it should be. */
export interface DriftRow {
  user_id: bigint;
  /** 0 when the counter is the user's own. */
  status_id: bigint;
  field: string;
  stored: bigint;
  counted: bigint;
}

/** One page of a recount: what differs, how many rows were counted, and the last of them when there may be more. */
export interface Recount<Place> {
  drifts: DriftRow[];
  recounted: number;
  last: Place | undefined;
}

/** When nothing differs, one row without a field stands for the page. */
export type RecountRow = Partial<DriftRow> & { recounted: number };

/** The result of a page of at most `limit` rows, whose last one is at `last`. */
export function recountOf<Place>(rows: readonly RecountRow[], last: Place | undefined, limit: number): Recount<Place> {
  const recounted = rows[0]?.recounted ?? 0;
  const drifts = rows.filter((row): row is DriftRow & { recounted: number } => typeof row.field === "string");
  return { drifts, recounted, last: recounted < limit ? undefined : last };
}
