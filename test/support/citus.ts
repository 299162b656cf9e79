import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { prepareDatabase } from "../../services/local/prepare-database.ts";
import { createLog } from "../../services/platform/log.ts";
import { migrate } from "../../services/platform/postgres/migrate.ts";
import { createPool } from "../../services/platform/postgres/pool.ts";
import { createShards } from "../../services/social/shards/create-shards.ts";
import { runShards } from "../../services/social/shards/run.ts";
import { makeDataFolder } from "./data-folder.ts";
import { eventually } from "./eventually.ts";
import { queryOnce, type TestDatabase, type TestServer, whileCutOff } from "./test-database.ts";

interface Node {
  host: string;
  port: number;
  url(role: string, database: string): string;
}

/** A Citus cluster: the coordinator first, then the workers. */
export interface Cluster {
  url: string;
  nodes: readonly Node[];
  /** The data folders of its servers, in the same order, when it was started with ../shared/citus: only these may be killed. */
  folders?: readonly string[];
}

const lab = join(import.meta.dirname, "../../../shared/citus/citus-lab");

/** The cluster of CITUS_URL, or a new one of ../shared/citus; undefined, with a warning, when there is neither. */
export async function openCluster(): Promise<(Cluster & { stop(): void }) | undefined> {
  const given = process.env.CITUS_URL;
  if (given !== undefined) return { ...(await readCluster(given)), stop() {} };
  if (!existsSync(lab) || process.getuid?.() !== 0) return skip("neither CITUS_URL nor ../shared/citus is there");
  const parent = makeDataFolder("roost-citus-");
  // Its servers run as another user.
  chmodSync(parent, 0o755);
  const home = join(parent, "cluster");
  const stop = () => {
    execFileSync("bash", [lab, "down", home]);
    rmSync(parent, { recursive: true, force: true });
  };
  try {
    const said = execFileSync("bash", [lab, "up", home], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
    const cluster = await readCluster(/CITUS_URL=(\S+)/.exec(said)?.[1] ?? "");
    return { ...cluster, folders: cluster.nodes.map((_, number) => join(home, `node${number}`)), stop };
  } catch (error) {
    stop();
    return skip(`the cluster of ../shared/citus does not start: ${(error as Error).message}`);
  }
}

let shared: ReturnType<typeof openCluster> | undefined;
let users = 0;

/** The cluster that all test files of this process share: `stop` stops it for the last of its users. */
export async function shareCluster(): ReturnType<typeof openCluster> {
  users++;
  shared ??= openCluster();
  const cluster = await shared;
  const stop = () => {
    if (--users === 0) cluster?.stop();
  };
  return cluster && { ...cluster, stop };
}

function skip(reason: string): undefined {
  console.warn(`\n!!! SKIPPED: ${reason}; the Citus cluster is not tested !!!\n`);
  return undefined;
}

/** The servers of the cluster whose coordinator is at this URL. */
export async function readCluster(url: string): Promise<Cluster> {
  const text = "select nodename as host, nodeport as port from pg_dist_node order by groupid";
  const rows = await queryOnce(url, text);
  const nodes = rows.map(({ host, port }) => ({
    host: `${host}`,
    port: Number(port),
    url: (role: string, database: string) => `postgres://${role}@${host}:${port}/${database}`,
  }));
  return { url, nodes };
}

export interface ClusterDatabase extends TestDatabase {
  /** Runs `work` while a worker, counted from 0, is cut off: its connections are ended, and new ones are refused. */
  whileWorkerAway<T>(number: number, work: () => Promise<T>): Promise<T>;
}

/**
 * A database of a test file's own on all nodes of a cluster, with its tables spread over them.
 * @param server is stopped with it
 * @param isSpread false: its tables are on the coordinator, as on one server
 */
export async function createClusterDatabase(
  { nodes }: Cluster,
  server?: TestServer,
  isSpread = true,
): Promise<ClusterDatabase> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  const [coordinator, ...workers] = nodes as [Node, ...Node[]];
  await Promise.all(
    nodes.map(async (node) => {
      await prepareDatabase(node, name);
      await queryOnce(node.url("postgres", name), "create extension citus");
    }),
  );
  const own = (text: string, values?: unknown[]) => queryOnce(coordinator.url("postgres", name), text, values);
  await own("select citus_set_coordinator_host($1, $2)", [coordinator.host, coordinator.port]);
  for (const { host, port } of workers) await own("select citus_add_node($1, $2)", [host, port]);
  const urls = { account: coordinator.url("account", name), social: coordinator.url("social", name) };
  const log = createLog("test", "silent");
  await migrate(urls.social, "social", join(import.meta.dirname, "../../services/social/migrations"), log);
  const pool = createPool(urls.social, "test-shards", log, { isLongRunning: true });
  if (isSpread) await createShards(pool);
  await pool.end();
  return {
    ...urls,
    query: own,
    whileUnavailable: (role, work) => whileCutOff(adminOf(coordinator), { database: name, role }, work),
    whileWorkerAway: (number, work) => whileCutOff(adminOf(workers[number] as Node), { database: name }, work),
    async drop() {
      // The coordinator first, since its maintenance connects to the workers.
      for (const node of nodes) await eventually("the database is dropped", () => dropOn(node, name));
      await server?.stop();
    },
  };
}

/** Drops a database. False while a session of it has not ended: Postgres ends them, and waits for them for five seconds. */
async function dropOn(node: Node, name: string): Promise<boolean> {
  try {
    await adminOf(node)(`drop database ${name} with (force)`);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === objectInUse) return false;
    throw error;
  }
}

const objectInUse = "55006";

/** Runs statements on a server as the superuser, outside of the databases of tests. */
function adminOf(node: Node): (text: string, values?: unknown[]) => Promise<unknown> {
  return (text, values) => queryOnce(node.url("postgres", "postgres"), text, values);
}

const controls = "/usr/lib/postgresql/15/bin/pg_ctl";

/**
 * Kills all processes of a server of the cluster at once by SIGKILL, so that its clients get no reply. It is restarted without a
 * synchronous standby.
 * @param folder its data
 */
export function killPostgres(folder: string): void {
  const postmaster = Number(readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n", 1)[0]);
  // So that it starts no others meanwhile.
  process.kill(postmaster, "SIGSTOP");
  const children = execFileSync("ps", ["-o", "pid=", "--ppid", `${postmaster}`], { encoding: "utf8" });
  for (const pid of [...children.split("\n").filter(Boolean).map(Number), postmaster]) end(pid);
  const settings = join(folder, "postgresql.auto.conf");
  writeFileSync(settings, readFileSync(settings, "utf8").replace(/^synchronous_standby_names .*$/m, ""));
}

/** Kills a process, which may have ended already. */
function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Starts it again; false while killed processes still exist. Resolves when it has recovered and accepts connections. */
export async function restartPostgres(folder: string): Promise<boolean> {
  const command = `su postgres -s /bin/bash -c '${controls} -D ${folder} -l ${folder}.log -w start'`;
  const [code] = await once(spawn("bash", ["-c", command], { stdio: "ignore" }), "exit");
  return code === 0;
}

/** Runs `npm run shards` in this process, on a database of the social service; returns its exit code and its output. */
export async function shards(
  { social }: { social: string },
  ...args: string[]
): Promise<{ code: number; output: string }> {
  const connect = () => createPool(social, "test-shards", createLog("test", "silent"), { isLongRunning: true });
  const output: string[] = [];
  const say = (line: string) => output.push(line);
  const code = await runShards(args, connect, say, say);
  return { code, output: output.join("\n") };
}
