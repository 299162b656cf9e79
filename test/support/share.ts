/** A resource that several test files of a room use, one after the other in one process. */
export interface Share<T> {
  /** To be called when each file is imported, so that the last one is known. */
  join(): void;
  /** Starts it for the first file. */
  get(): Promise<T>;
  /** Stops it for the last file. */
  leave(): Promise<void>;
}

export function share<T>(start: () => Promise<T>, stop: (started: T) => Promise<void>): Share<T> {
  let files = 0;
  let started: Promise<T> | undefined;
  return {
    join: () => void files++,
    get: () => (started ??= start()),
    async leave() {
      files--;
      if (files === 0 && started !== undefined) await stop(await started);
    },
  };
}
