import { createHash } from "node:crypto";

/**
 * SHA-256 of a value's content: the same for equal values, whatever the order of their keys. A bigint counts as text. Digests are
 * stored, so the way of hashing must never change.
 */
export function contentDigest(value: unknown): Buffer {
  return createHash("sha256")
    .update(JSON.stringify(sorted(value)))
    .digest();
}

/** A copy with sorted keys. Made first, since JSON.stringify takes twice as long with a function that is called for each value. */
function sorted(value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (value === null || typeof value !== "object") return value;
  if ("toJSON" in value && typeof value.toJSON === "function") return sorted(value.toJSON());
  if (Array.isArray(value)) return value.map(sorted);
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value).sort()) {
    const part = sorted(value[key as keyof typeof value]);
    // Assigning "__proto__" would set the prototype.
    if (key === "__proto__") Object.defineProperty(copy, key, { value: part, enumerable: true });
    else copy[key] = part;
  }
  return copy;
}
