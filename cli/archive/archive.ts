/** A file inside an archive, by the name that the archive gives it. That name is compared, and never used as a path. */
export interface ArchiveEntry {
  name: string;
  /** @throws ArchiveFault when it is broken, too large, or locked. */
  read(): AsyncIterable<Uint8Array>;
}

/** A zip or tar file. */
export interface Archive {
  /**
   * The files that `wanted` chooses by name, in the archive's order. Each is to be read before the next one is asked for.
   * @throws ArchiveFault when the archive is broken or hostile.
   */
  entries(wanted: (name: string) => boolean): AsyncGenerator<ArchiveEntry>;
  close(): void;
}
