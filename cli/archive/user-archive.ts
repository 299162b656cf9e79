import type { ImportedStatus } from "../../proto/gen/social/v1/import_service_pb.ts";

/** What is found in an archive, one thing after the other. */
export type ArchiveItem =
  /** A status, ready but for its author here. Smaller `order`, older status: 0 to 2^64-1. */
  | { kind: "status"; status: ImportedStatus; order: bigint }
  /** Posts that are not taken. */
  | { kind: "left out"; why: LeftOut; count: number }
  /** A post that is broken. */
  | { kind: "refused"; place: string; reason: string }
  /** Who the owner is at the origin. */
  | { kind: "owner"; originId: string };

/** Why a post is not taken. */
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
  /** What reports call it, such as the file's name. */
  name: string;
  /** Where its ids come from. */
  origin: string;
  /**
   * Reads it from its start. `screenName` is what its owner is called here.
   * @throws ArchiveFault when it is broken: then nothing of it is to be imported.
   */
  read(screenName: string): AsyncGenerator<ArchiveItem>;
  /** How much of it has been read, 0 to 1; undefined when that is not known. */
  progress(): number | undefined;
  close(): void;
}
