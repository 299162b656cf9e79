import type { Header } from "./format.ts";
import type { RowProgress } from "./progress.ts";
import { openBackup } from "./read-backup.ts";

/** What a whole backup holds. */
export interface Counted {
  header: Header;
  tables: number;
  rows: number;
}

/** Reads a backup to its end, and compares every count and checksum. @throws UserError for a damaged one */
export async function checkBackup(file: string, progress: RowProgress): Promise<Counted> {
  const backup = await openBackup(file, (part, rows) => progress.checked(part, rows));
  try {
    let [tables, total] = [0, 0];
    for await (const { rows } of backup.parts()) {
      for (let next = await rows.next(); ; next = await rows.next()) {
        if (!next.done) continue;
        total += next.value;
        break;
      }
      tables++;
    }
    return { header: backup.header, tables, rows: total };
  } finally {
    backup.close();
  }
}
