/**
 * What an archive may be. The largest archives of real accounts stay far below; what goes beyond was made to do harm, or
 * is no archive.
 */
export const limits = {
  /** Files inside an archive, media included. */
  entries: 500_000,
  /** Bytes of one file inside, unpacked. */
  entryBytes: 4 * 1024 ** 3,
  /** Bytes of all the files that are read, unpacked. */
  totalBytes: 8 * 1024 ** 3,
  /** Unpacked bytes for each packed one, in one file and in all. JSON of statuses packs 5 to 30 times. */
  ratio: 200,
  /** Below this many unpacked bytes the ratio says nothing: a few lines of blanks pack better than any JSON. */
  ratioFromBytes: 16 * 1024 ** 2,
  /** Lists and objects inside each other in JSON, and elements inside each other in HTML. */
  depth: 64,
  /** Bytes of one status, conversation or header in JSON. */
  itemBytes: 4 * 1024 ** 2,
} as const;
