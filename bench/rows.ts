import type { Row } from "./row.ts";
import { homes } from "./rows/home.ts";
import { importing } from "./rows/import.ts";
import { live } from "./rows/live.ts";
import { cachedReads, uncachedReads } from "./rows/reads.ts";
import { searches } from "./rows/search.ts";
import { idle, memory, secondStart } from "./rows/system.ts";
import { publication, registration } from "./rows/writes.ts";

/** The table, from top to bottom. Rows of one kind of system stand together, so that few starts are needed. */
export const rows: readonly Row[] = [
  ...cachedReads,
  ...uncachedReads,
  ...homes,
  ...searches,
  registration,
  publication,
  importing,
  idle,
  ...live,
  memory,
  secondStart,
];
