import { createHash } from "node:crypto";

/** A name of 22 characters for a temporary file that belongs to a path and to this user: the same on every start. */
export function shortName(path: string): string {
  const digest = createHash("sha256").update(`${process.getuid?.()} ${path}`).digest("hex");
  return `roost-${digest.slice(0, 16)}`;
}
