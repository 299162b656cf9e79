import type { Freshness } from "../../services/social/freshness.ts";

/** A social service's announcements, which can be stopped as in a process that was paused or cut off from Redis. */
export function holdAnnouncements() {
  let passing = Number.POSITIVE_INFINITY;
  let release = () => {};
  let released = Promise.resolve();
  let isHeld = () => {};
  let held = new Promise<void>(() => {});
  return {
    changeFreshness: (real: Freshness): Freshness => ({
      ...real,
      async announce(subjects) {
        if (subjects.length === 0) return;
        if (passing > 0) passing--;
        else {
          isHeld();
          await released;
        }
        await real.announce(subjects);
      },
    }),
    /** Stops all announcements after the next few. */
    hold(but: number): void {
      passing = but;
      held = new Promise((resolve) => (isHeld = resolve));
      released = new Promise((resolve) => (release = resolve));
    },
    /** Resolves when one is stopped. */
    held: () => held,
    /** Does not stop announcements from now on. */
    stopHolding: () => void (passing = Number.POSITIVE_INFINITY),
    /** Releases the stopped ones. */
    release: () => release(),
  };
}
