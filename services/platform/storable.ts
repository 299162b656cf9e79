/** Whether a value holds a NUL character anywhere, in keys as well: neither text nor json of Postgres stores one. */
export function holdsNul(value: unknown): boolean {
  if (typeof value === "string") return value.includes("\u0000");
  if (value === null || typeof value !== "object") return false;
  return Object.entries(value).some(([key, part]) => key.includes("\u0000") || holdsNul(part));
}

/** Whether UTF-8 and Postgres can hold a text: it has no half of a surrogate pair, and no NUL. */
export function isText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

/** Whether a text has more than `max` code points, the unit in which lengths are counted. Cheap even for a megabyte. */
export function isLongerThan(text: string, max: number): boolean {
  // A code point has at most two UTF-16 units.
  return text.length > 2 * max || [...text].length > max;
}
