import { invalid } from "../../platform/errors.ts";
import { isOrigin } from "../../platform/storable.ts";

/** Checks the origin and the number of items, which every import call has. Throws InvalidArgument. */
export function checkBatch(fieldName: string, origin: string, items: readonly unknown[]): void {
  if (!isOrigin(origin)) {
    throw invalid("origin", "RegularExpression", "'Origin' must be a short lower-case word.");
  }
  if (items.length > 1_000) throw invalid(fieldName, "Length", `'${fieldName}' must have at most 1000 entries.`);
}

/** Refuses every parsed item whose key an earlier one has: one statement cannot store a row twice. */
export function onlyFirst<T extends object>(parsed: readonly (T | string)[], key: (item: T) => string): (T | string)[] {
  const seen = new Set<string>();
  return parsed.map((item) => {
    if (typeof item === "string") return item;
    if (seen.has(key(item))) return "it occurs twice in one batch";
    seen.add(key(item));
    return item;
  });
}
