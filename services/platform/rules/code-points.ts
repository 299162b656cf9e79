/** Whether a text has more than `max` code points, the unit in which lengths are counted. Cheap even for a megabyte. */
export function isLongerThan(text: string, max: number): boolean {
  // A code point has at most two UTF-16 units.
  return text.length > 2 * max || [...text].length > max;
}
