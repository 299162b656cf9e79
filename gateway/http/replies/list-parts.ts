/**
 * A JSON array of these items, in pieces: joined, a reply of 34 MB would be in memory three times.
 * @param start the text before the first item; `end` that after the last one
 */
export function listParts(items: readonly Buffer[], start = "[", end = "]"): Buffer[] {
  const parts = items.flatMap((item, index) => (index === 0 ? [item] : [comma, item]));
  return [Buffer.from(start), ...parts, Buffer.from(end)];
}

/** How many bytes these pieces have. */
export function lengthOf(parts: readonly Buffer[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

const comma = Buffer.from(",");
