import { openSources } from "../import/file-source.ts";
import { ArchiveFault } from "./fault.ts";
import type { OwnArchive } from "./found.ts";
import { kindOfFile } from "./kind-of-file.ts";
import { isMastodonFile, mastodonArchive, outbox } from "./mastodon/mastodon-archive.ts";
import { ownStatuses } from "./own-statuses.ts";
import { openTar } from "./tar.ts";
import { isXFile, xFiles } from "./x/files.ts";
import { xArchive } from "./x/x-archive.ts";
import { openZip } from "./zip.ts";

/**
 * Opens what somebody brings along: an archive of X (zip) or of Mastodon (zip, tar, tar.gz), or a file of API v1.1. What
 * it is shows in its first bytes, and in the names inside.
 * @throws UnreadableFiles, or ArchiveFault when it is something else.
 */
export async function openOwnArchive(path: string): Promise<OwnArchive> {
  const [source] = await openSources([path]);
  const kind = await kindOfFile(path);
  if (kind === "json" && source !== undefined) return ownStatuses(source);
  if (kind !== "zip") return mastodonArchive(path, openTar(path, kind === "tar.gz"));
  const zip = await openZip(path, (name) => isXFile(name) || isMastodonFile(name));
  const [isX, isMastodon] = [zip.names.some(xFiles.tweets), zip.names.includes(outbox)];
  if (isX !== isMastodon) return isX ? xArchive(path, zip) : mastodonArchive(path, zip);
  zip.close();
  throw new ArchiveFault(
    isX ? `it holds both data/tweets.js and ${outbox}` : `it holds neither data/tweets.js nor ${outbox}`,
  );
}
