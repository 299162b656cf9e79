import type { Count } from "../../services/platform/metrics/counts.ts";
import { overloaded } from "../errors/catalog.ts";

/** Bytes that all requests of one kind may hold together. */
export interface ByteBudget {
  /** A share for one request, which has nothing yet. */
  open(): ByteShare;
  /** What all shares hold. */
  held(): number;
}

export interface ByteShare {
  /** Adds to the share. @throws PublicError 503 when there is not that much left, and counts that */
  take(bytes: number): void;
  /** Gives all back; what is taken later is given back at once. */
  release(): void;
}

/**
 * @param max bytes of all shares together
 * @param smallShare bytes up to which a share may use the last quarter: those who hold much leave room for small requests
 * @param shed counts what is refused
 */
export function createByteBudget(max: number, smallShare: number, shed: Count): ByteBudget {
  let held = 0;
  return {
    open() {
      let own = 0;
      let isReleased = false;
      return {
        take(bytes) {
          if (isReleased) return;
          const room = own + bytes > smallShare ? 0.75 * max : max;
          if (held + bytes > room) {
            shed.value++;
            throw overloaded();
          }
          held += bytes;
          own += bytes;
        },
        release() {
          held -= own;
          own = 0;
          isReleased = true;
        },
      };
    },
    held: () => held,
  };
}
