import { createHash } from "node:crypto";

/** SHA-256 of a value's content: the same for equal values, whatever the order of their keys. A bigint counts as text. */
export function digest(value: unknown): Buffer {
  return createHash("sha256").update(JSON.stringify(value, sorted)).digest();
}

function sorted(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
