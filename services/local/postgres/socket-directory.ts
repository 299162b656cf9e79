import { lstatSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { shortName } from "./short-name.ts";

/** The directory of the socket for clients. */
export interface SocketDirectory {
  path: string;
  /** Deletes the link, if one was made. */
  close(): void;
}

/** Bytes in the path of a unix socket: 108 on Linux, 104 on macOS, one of them for the closing zero. */
const limit = process.platform === "linux" ? 107 : 103;

/**
 * A short enough path to the data directory, where the server keeps its socket: the directory itself, or a link to it
 * under the temporary directory when the home is deep. The limit is on the length of the path as it is given; the
 * server itself binds relative to its working directory.
 * @throws Error when a short path cannot be made
 */
export function openSocketDirectory(data: string): SocketDirectory {
  if (fits(data)) return { path: data, close() {} };
  const link = [tmpdir(), "/tmp"].map((directory) => join(directory, shortName(data))).find(fits);
  if (!link) throw new Error(`${data} is too deep for a unix socket, and so is ${tmpdir()}`);
  if (!isOurLink(link, data)) {
    // In a sticky directory this fails on a file of another user, who could otherwise pose as the server.
    rmSync(link, { force: true });
    symlinkSync(data, link);
  }
  return { path: link, close: () => rmSync(link, { force: true }) };
}

/** The address of a database for `pg`. Port and sslmode are given, since pg takes missing ones from PGPORT and PGSSLMODE. */
export function socketUrl(directory: string, role: string, database: string): string {
  const [host, user, name] = [directory, role, database].map(encodeURIComponent);
  return `postgres://${user}@localhost:5432/${name}?host=${host}&sslmode=disable`;
}

function fits(directory: string): boolean {
  return Buffer.byteLength(join(directory, ".s.PGSQL.5432")) <= limit;
}

function isOurLink(link: string, data: string): boolean {
  const there = lstatSync(link, { throwIfNoEntry: false });
  return !!there?.isSymbolicLink() && there.uid === process.getuid?.() && readlinkSync(link) === data;
}
