/** Lets tasks run side by side when they lock different things, otherwise in the order in which they asked. */
export interface Locks<T> {
  /** Resolves when no earlier task has or wants any of these; the returned function releases them. */
  take(wants: readonly T[]): Promise<() => void>;
}

export function createLocks<T>(): Locks<T> {
  const held = new Set<T>();
  let waiting: { wants: readonly T[]; go: () => void }[] = [];

  function admit(): void {
    const taken = new Set(held);
    waiting = waiting.filter(({ wants, go }) => {
      const isFree = !wants.some((one) => taken.has(one));
      for (const one of wants) taken.add(one);
      if (!isFree) return true;
      for (const one of wants) held.add(one);
      go();
      return false;
    });
  }

  return {
    async take(wants) {
      await new Promise<void>((go) => {
        waiting.push({ wants, go });
        admit();
      });
      return () => {
        for (const one of wants) held.delete(one);
        admit();
      };
    },
  };
}
