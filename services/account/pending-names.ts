/** The names that registrations of this process are about to take. */
export interface PendingNames {
  /**
   * Runs work while no other work has one of these names, so that only one of many concurrent registrations for a name costs a hash.
   * @param check runs after each wait for other work, which may have taken a name by then; what it throws ends this
   */
  hold<T>(names: readonly string[], check: () => Promise<void>, work: () => Promise<T>): Promise<T>;
}

export function createPendingNames(): PendingNames {
  /** By name, the end of the work that has it; never rejects. */
  const holders = new Map<string, Promise<void>>();
  const holderOf = (names: readonly string[]) =>
    names.map((name) => holders.get(name)).find((holder) => holder !== undefined);

  return {
    async hold(names, check, work) {
      for (let holder = holderOf(names); holder !== undefined; holder = holderOf(names)) {
        await holder;
        await check();
      }
      // All names are free, and nothing is awaited before they are taken.
      let end = () => {};
      const ended = new Promise<void>((resolve) => (end = resolve));
      for (const name of names) holders.set(name, ended);
      try {
        return await work();
      } finally {
        for (const name of names) holders.delete(name);
        end();
      }
    },
  };
}
