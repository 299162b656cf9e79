import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createConnection, createServer, type NetConnectOpts } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exitOf } from "../../services/local/child-exit.ts";
import { freePort } from "./free-port.ts";
import { listen } from "./listen.ts";

/** A PgBouncer of a test's own, in transaction mode, with few sessions, so that statements often change sessions. */
export interface TestPgBouncer {
  /** The URL of a database through this pooler, given its own URL. */
  url(direct: string): string;
  stop(): Promise<void>;
}

/**
 * Starts the pgbouncer of this machine for a server of the tests; undefined where there is none.
 * @param direct the URL of a database on that server
 * @param sends is told what it sends there
 */
export async function startTestPgBouncer(
  direct: string,
  sends: (text: string) => void = () => {},
): Promise<TestPgBouncer | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "roost-bouncer-"));
  // Only its user can reach the server's socket, and PgBouncer never runs as root: it connects through a port of ours.
  const way = createServer((from) => {
    const to = createConnection(addressOf(new URL(direct)));
    from.on("data", (bytes) => sends(bytes.toString("latin1")));
    from.pipe(to).pipe(from);
    from.on("error", () => to.destroy());
    to.on("error", () => from.destroy());
  });
  const portOfWay = await listen(way);
  const port = await freePort();
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(file, configuration(port, portOfWay, folder));
  writeFileSync(join(folder, "users"), '"account" ""\n"social" ""\n');
  chmodSync(folder, 0o755);
  const child = spawn("pgbouncer", [file], {
    stdio: "ignore",
    ...(process.getuid?.() === 0 && { uid: unprivileged, gid: unprivileged }),
    env: { PATH: `${process.env.PATH}:/usr/sbin` },
  });
  child.once("error", () => {});
  const stop = async () => {
    await end(child);
    way.close();
    rmSync(folder, { recursive: true, force: true });
  };
  if (!(await answers(child, port))) {
    await stop();
    return undefined;
  }
  return {
    url: (url) => `postgres://${new URL(url).username}@127.0.0.1:${port}${new URL(url).pathname}?sslmode=disable`,
    stop,
  };
}

/** The server's socket, or its port if it has one. */
function addressOf({ searchParams, hostname, port }: URL): NetConnectOpts {
  const folder = searchParams.get("host");
  return folder === null ? { host: hostname, port: Number(port) } : { path: join(folder, ".s.PGSQL.5432") };
}

/** The id of the user and group `nobody`, which own nothing. */
const unprivileged = 65_534;

function configuration(port: number, server: number, folder: string): string {
  return `
[databases]
* = host=127.0.0.1 port=${server}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${folder}/users
pool_mode = transaction
default_pool_size = 3
server_check_delay = 0
max_client_conn = 200
`;
}

async function answers(child: ChildProcess, port: number): Promise<boolean> {
  for (let attempt = 0; attempt < 200 && child.exitCode === null && child.pid !== undefined; attempt++) {
    const socket = createConnection(port, "127.0.0.1");
    const isThere = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isThere) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}

async function end(child: ChildProcess): Promise<void> {
  child.kill("SIGTERM");
  await exitOf(child);
}
