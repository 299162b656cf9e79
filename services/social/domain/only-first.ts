/** Refuses every parsed item with the key of an earlier one: one statement cannot store a row twice. */
export function onlyFirst<T extends object>(parsed: readonly (T | string)[], key: (item: T) => string): (T | string)[] {
  const seen = new Set<string>();
  return parsed.map((item) => {
    if (typeof item === "string") return item;
    if (seen.has(key(item))) return "it occurs twice in one batch";
    seen.add(key(item));
    return item;
  });
}
