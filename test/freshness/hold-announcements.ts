import type { Freshness } from "../../services/social/freshness.ts";

/** A social service's announcements, which can be held up as by a process that was stopped, or cut off from Redis. */
export function holdAnnouncements() {
  let passing = Number.POSITIVE_INFINITY;
  let release = () => {};
  let released = Promise.resolve();
  let isHeld = () => {};
  let held = new Promise<void>(() => {});
  return {
    changeFreshness: (sound: Freshness): Freshness => ({
      ...sound,
      async announce(subjects) {
        if (subjects.length === 0) return;
        if (passing > 0) passing--;
        else {
          isHeld();
          await released;
        }
        await sound.announce(subjects);
      },
    }),
    /** Holds up every announcement from now on but the next few. */
    hold(but: number): void {
      passing = but;
      held = new Promise((resolve) => (isHeld = resolve));
      released = new Promise((resolve) => (release = resolve));
    },
    /** Resolves when one is held up. */
    held: () => held,
    /** Lets those pass that begin from now on. */
    letThrough: () => void (passing = Number.POSITIVE_INFINITY),
    /** Lets those go on that are held up. */
    release: () => release(),
  };
}
