import type { ImportedStatus } from "../../proto/gen/social/v1/import_service_pb.ts";

/** One item of an archive. */
export type ArchiveItem =
  /** A status without its author's id here. The smaller `order`, 0 to 2^64-1, the older the status. */
  | { kind: "status"; status: ImportedStatus; order: bigint }
  /** Posts that are not imported. */
  | { kind: "left out"; why: LeftOut; count: number }
  /** A post that is broken. */
  | { kind: "refused"; place: string; reason: string }
  /** The owner's id at the origin. */
  | { kind: "owner"; originId: string };

/** Why a post is not imported. */
export type LeftOut = (typeof reasonsToLeaveOut)[number];

/** In the order in which they are reported. */
export const reasonsToLeaveOut = [
  "direct",
  "followers-only",
  "boosts",
  "media only",
  "long texts without a post",
] as const;

/** An archive of one person's posts. */
export interface UserArchive {
  /** Its name in reports, such as the file's name. */
  name: string;
  /** The system that gave its ids. */
  origin: string;
  /**
   * Reads it from its start, in lists of some items. `screenName` is the owner's name here.
   * @throws ArchiveFault when it is broken: then nothing of it is to be imported.
   */
  read(screenName: string): AsyncGenerator<readonly ArchiveItem[]>;
  /** How much of it has been read, 0 to 1; undefined when that is not known. */
  progress(): number | undefined;
  close(): void;
}
