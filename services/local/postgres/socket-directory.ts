import { createHash } from "node:crypto";
import { existsSync, lstatSync, readlinkSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findPostmaster } from "./postmaster.ts";

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

/** A name of 22 characters for a temporary file that belongs to a path and to this user: the same on every start. */
export function shortName(path: string): string {
  const digest = createHash("sha256").update(`${process.getuid?.()} ${path}`).digest("hex");
  return `roost-${digest.slice(0, 16)}`;
}

/** The server that another process runs on a home, such as `npm start`; undefined when none runs. */
export function findRunningPostgres(home: string): { url(role: string, database: string): string } | undefined {
  if (!existsSync(join(home, "postgres", "data"))) return undefined;
  const data = join(realpathSync(join(home, "postgres")), "data");
  if (findPostmaster(data)?.standing !== "owned") return undefined;
  // The link, where one is needed, is that of the running server, which removes it.
  const { path } = openSocketDirectory(data);
  return { url: (role, database) => socketUrl(path, role, database) };
}
