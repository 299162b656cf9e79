/** Figures by name; a name ends with its unit where it has one, such as "p99 ms". */
export type Figures = Readonly<Record<string, number>>;

/** What was measured of one thing. */
export interface Row {
  /** Its goals (bench/goals.ts) and its figures of the last run stand under this name. */
  name: string;
  title: string;
  figures: Figures;
  /** The smallest and the largest of a figure's rounds, where the figure is the median of several. */
  ranges?: Readonly<Record<string, readonly [number, number]>>;
  /** Remarks on its figures. */
  notes?: readonly string[];
}

/** A figure as text: two digits after the point below 10, one below 100, none above. */
export function figureText(value: number): string {
  const size = Math.abs(value);
  if (size >= 100) return Math.round(value).toLocaleString("en");
  return value.toFixed(size < 10 ? 2 : 1);
}
