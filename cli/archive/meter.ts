import { ArchiveFault } from "./fault.ts";
import { limits } from "./limits.ts";

/** Counts what is unpacked from one archive. */
export interface Meter {
  /**
   * Passes the bytes of one file on as long as they stay within the limits.
   * @param packed how many packed bytes they came from so far.
   * @throws ArchiveFault
   */
  entry(name: string, bytes: AsyncIterable<Uint8Array>, packed: () => number): AsyncGenerator<Uint8Array>;
  /** Checks what is unpacked from the whole archive. */
  add(unpacked: number, packed: number): void;
}

/** A meter for one archive that has the limits of this room, or a test's own. */
export function createMeter(allowed: Pick<typeof limits, "entryBytes" | "totalBytes"> = limits): Meter {
  let total = 0;
  return {
    async *entry(name, bytes, packed) {
      let unpacked = 0;
      for await (const chunk of bytes) {
        unpacked += chunk.length;
        total += chunk.length;
        if (unpacked > allowed.entryBytes) throw new ArchiveFault(`${name} is larger than ${allowed.entryBytes} bytes`);
        if (total > allowed.totalBytes) throw tooLarge(allowed.totalBytes);
        checkRatio(name, unpacked, packed());
        yield chunk;
      }
    },
    add(unpacked, packed) {
      if (unpacked > allowed.totalBytes) throw tooLarge(allowed.totalBytes);
      checkRatio("it", unpacked, packed);
    },
  };
}

/**
 * Refuses what unpacks to far more than it is.
 * @throws ArchiveFault
 */
export function checkRatio(name: string, unpacked: number, packed: number): void {
  if (unpacked <= limits.ratioFromBytes || unpacked <= packed * limits.ratio) return;
  throw new ArchiveFault(`${name} unpacks to more than ${limits.ratio} times its size, as no archive of statuses does`);
}

function tooLarge(most: number): ArchiveFault {
  return new ArchiveFault(`it unpacks to more than ${most} bytes`);
}
