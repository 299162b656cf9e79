/** Whether a text has more than `most` code points: what people count. Cheap also for a megabyte. */
export function isLongerThan(text: string, most: number): boolean {
  // A code point has at most two UTF-16 units.
  return text.length > 2 * most || [...text].length > most;
}
