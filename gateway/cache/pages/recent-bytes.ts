/** Limits how many bytes are added within some time. */
export interface RecentBytes {
  /** Adds bytes. Returns false, and adds nothing, where they would exceed the limit. */
  add(bytes: number): boolean;
}

/**
 * @param maxBytes of all that was added within the last `ms` milliseconds
 * @param now gives the time in milliseconds
 */
export function createRecentBytes(maxBytes: number, ms: number, now = () => performance.now()): RecentBytes {
  // Summed in slots of time, so that nothing is stored for a single addition.
  const slotMs = ms / slots;
  let recent: { slot: number; bytes: number }[] = [];
  let sum = 0;
  return {
    add(bytes) {
      const slot = Math.floor(now() / slotMs);
      if (recent.at(-1)?.slot !== slot) {
        recent = recent.filter((one) => one.slot >= slot - slots);
        recent.push({ slot, bytes: 0 });
        sum = recent.reduce((total, one) => total + one.bytes, 0);
      }
      if (sum + bytes > maxBytes) return false;
      (recent.at(-1) as { bytes: number }).bytes += bytes;
      sum += bytes;
      return true;
    },
  };
}

const slots = 60;
