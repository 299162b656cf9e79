import type { Counter } from "../../../services/platform/metrics/instruments.ts";
import { overloaded } from "../errors/catalog.ts";

/** Limits the bytes that all requests of one kind have in memory. */
export interface ByteBudget {
  /** Opens the share of one request, which is empty at first. */
  open(): ByteShare;
  /** The bytes of all shares. */
  held(): number;
}

export interface ByteShare {
  /** Adds bytes to the share. @throws PublicError 503 when the budget is used up, and counts that */
  take(bytes: number): void;
  /** After this no older share may take its bytes. */
  protect(): void;
  /** Returns all bytes; what is added later is returned at once. */
  release(): void;
}

export interface BudgetRules {
  /** Bytes of all shares together. */
  max: number;
  /** A share of more bytes than this may only use three quarters of the budget: the rest is for small requests. undefined: no such reserve. */
  small?: number;
  /** Whether an older share may take the bytes of the youngest one, so that at least the oldest request is completed. */
  yields?: boolean;
}

/** @param shed counts what is refused */
export function createByteBudget({ max, small = max, yields = false }: BudgetRules, shed: Counter): ByteBudget {
  let held = 0;
  /** The shares that hold bytes, the oldest first. */
  const shares: Share[] = [];

  function makeRoom(forShare: Share, bytes: number): boolean {
    const room = forShare.bytes + bytes > small ? 0.75 * max : max;
    while (held + bytes > room) {
      const youngest = yields ? shares.findLast((share) => !share.isProtected) : undefined;
      if (youngest === undefined || youngest === forShare) return false;
      youngest.isLost = true;
      release(youngest);
    }
    return true;
  }

  function release(share: Share): void {
    held -= share.bytes;
    share.bytes = 0;
    const index = shares.indexOf(share);
    if (index !== -1) shares.splice(index, 1);
  }

  return {
    open() {
      const share: Share = { bytes: 0, isProtected: false, isReleased: false, isLost: false };
      if (yields) shares.push(share);
      return {
        take(bytes) {
          if (share.isReleased) return;
          if (share.isLost || !makeRoom(share, bytes)) {
            shed.value++;
            throw overloaded();
          }
          held += bytes;
          share.bytes += bytes;
        },
        protect: () => void (share.isProtected = true),
        release() {
          share.isReleased = true;
          release(share);
        },
      };
    },
    held: () => held,
  };
}

interface Share {
  bytes: number;
  isProtected: boolean;
  isReleased: boolean;
  /** Whether an older share has taken its bytes. */
  isLost: boolean;
}
