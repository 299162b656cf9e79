import { chmodSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Exit } from "../child-process.ts";
import { chooseServer } from "./choose-server.ts";
import { claimData } from "./claim-data.ts";
import { initDatabase } from "./init-database.ts";
import { type Launched, launch } from "./launch.ts";
import { findPostmaster } from "./postmaster.ts";
import { giveTree } from "./run-as.ts";
import { openSocketDirectory, socketUrl } from "./socket-directory.ts";

/** A running Postgres that this process started. */
export interface Postgres {
  /** The postmaster's process id. */
  pid: number;
  /** The address of a database for `pg`, through the private unix socket; there is no password. */
  url(role: string, database: string): string;
  /** Resolves once the server is gone, for whatever reason; from then on the home can be started again. */
  exited: Promise<Exit>;
  /** Ends the server: open transactions are rolled back, clients are cut off. Resolves once it is gone; may be called again. */
  stop(): Promise<void>;
  /** Kills the postmaster with SIGKILL, as a crash would. For tests. */
  kill(): void;
}

export interface PostgresOptions {
  /** The directory for `postgres/` (the data) and `postgres.log`; made when missing. */
  home: string;
  /** Receives a line when something takes long or is unusual. Default: no lines. */
  log?: (line: string) => void;
  /** False, for tests only, waives every guarantee after a crash of the machine in exchange for speed. Default true. */
  durable?: boolean;
  /** For tests: acts as if these commands were not installed. */
  without?: readonly ("setpriv" | "unshare")[];
}

/** Milliseconds of fast shutdown before stop() turns to an immediate one, which loses nothing but needs recovery. */
const fastShutdown = 5_000;

/**
 * Starts the embedded Postgres on a home, with the superuser `postgres`, and resolves once it accepts connections. The
 * first start makes the database. The server ends when this process ends, however it ends; call it from the main
 * thread, because on Linux the server ends with the thread that started it. Recovery after a crash may take as
 * long as it needs.
 * @throws Error when the home is in use by a living process, when no way of running Postgres works here, or with the
 * last lines of its log when Postgres gives up.
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { home, log = () => {}, durable = true, without = [] } = options;
  const folder = openFolder(home);
  const data = join(folder, "data");
  const socket = openSocketDirectory(data);
  await claimData(data, socket.path, log);
  const { child, pid, exited } = await launchServer().catch((error) => {
    // Starts on one home share the link, which stays if another one succeeded.
    if (!findPostmaster(data)) socket.close();
    throw error;
  });

  const gone = exited.finally(() => socket.close());
  let stopping: Promise<void> | undefined;
  return {
    pid,
    url: (role, database) => socketUrl(socket.path, role, database),
    exited: gone,
    stop: () => (stopping ??= stop()),
    kill: () => void child.kill("SIGKILL"),
  };

  async function launchServer(): Promise<Launched> {
    const server = await chooseServer(folder, without);
    await initDatabase(server, folder, durable, log);
    giveTree(data, server.identity.account);
    return launch({ server, data, socketDirectory: socket.path, durable, logFile: resolve(home, "postgres.log"), log });
  }

  async function stop(): Promise<void> {
    child.kill("SIGINT");
    const timer = setTimeout(() => child.kill("SIGQUIT"), fastShutdown);
    await gone;
    clearTimeout(timer);
  }
}

/**
 * Makes `postgres/` inside a home and gives its real path. Its mode 0700 is what keeps other users from the socket and
 * the data, whatever the mode of the home.
 * @throws Error when it belongs to another user and this process is not root
 */
function openFolder(home: string): string {
  mkdirSync(join(home, "postgres"), { recursive: true, mode: 0o700 });
  const folder = realpathSync(join(home, "postgres"));
  const { uid } = statSync(folder);
  const we = process.getuid?.();
  if (we !== 0 && we !== uid) throw new Error(`${folder} belongs to another user (uid ${uid})`);
  chmodSync(folder, 0o700);
  return folder;
}
