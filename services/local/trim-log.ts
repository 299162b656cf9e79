import { copyFile, stat, truncate } from "node:fs/promises";

/**
 * Empties a log that is longer than `maxBytes`, and keeps what it had as NAME.log.old. Its process has it open for appending, and
 * continues at its new end; lines written between the copy and the end of this are lost.
 */
export async function trimLog(logFile: string, maxBytes = 50_000_000): Promise<void> {
  if ((await stat(logFile)).size <= maxBytes) return;
  await copyFile(logFile, `${logFile}.old`);
  await truncate(logFile, 0);
}
