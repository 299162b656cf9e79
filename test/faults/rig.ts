import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepareDatabase } from "../../services/local/prepare-database.ts";
import type { Supervised } from "../../services/local/supervise.ts";
import { supervisePostgres } from "../../services/local/supervise-postgres.ts";
import { type FaultProxy, startFaultProxy } from "../support/fault-proxy.ts";
import { launchSupervised, type Role } from "../support/launch.ts";
import { freePort } from "../support/listen.ts";
import { startTestRedis } from "../support/redis.ts";
import { queryOnce } from "../support/test-database.ts";
import type { Query } from "./facts.ts";
import { Ledger } from "./ledger.ts";

export type Wire =
  | "gateway to account"
  | "gateway to social"
  | "account to social"
  | "account to Postgres"
  | "social to Postgres"
  | "gateway to Redis"
  | "social to Redis";

export interface RigOptions {
  /** Settings of all processes in addition to the addresses. */
  settings?: NodeJS.ProcessEnv | undefined;
  /** Where Postgres keeps its data; in the rig's folder when left out. */
  home?: string | undefined;
  /** Called with the messages of the supervisors. */
  say?: ((line: string) => void) | undefined;
}

export type Rig = Awaited<ReturnType<typeof startRig>>;

/** A system of its own whose every part can be disturbed: processes as `npm start` runs them, with a proxy between any two. */
export async function startRig(options: RigOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), "roost-faults-"));
  const { settings = {}, home = folder } = options;
  const ended: string[] = [];
  const say = (line: string) => {
    const part = /^(\w+) ended \(/.exec(line)?.[1];
    if (part !== undefined) ended.push(part);
    options.say?.(line);
  };
  const ends: (() => Promise<unknown>)[] = [];
  const ledger = new Ledger();
  const stop = async (keepsFolder = false) => {
    for (const end of ends.splice(0).reverse()) await end();
    if (keepsFolder) writeFileSync(join(folder, "ledger.json"), JSON.stringify(ledger.entries, undefined, 1));
    else rmSync(folder, { recursive: true, force: true });
  };
  try {
    const postgres = await supervisePostgres(home, say);
    ends.push(() => postgres.stop());
    const redis = await startTestRedis();
    ends.push(async () => redis?.stop());
    const [gatewayPort, accountPort, socialPort] = [await freePort(), await freePort(), await freePort()];
    const socket = `${new URL(postgres.url("postgres", "roost")).searchParams.get("host")}/.s.PGSQL.5432`;
    const wires = await layWires({
      "gateway to account": accountPort,
      "gateway to social": socialPort,
      "account to social": socialPort,
      "account to Postgres": socket,
      "social to Postgres": socket,
      "gateway to Redis": redis?.port ?? 1,
      "social to Redis": redis?.port ?? 1,
    });
    ends.push(() => Promise.all(Object.values(wires).map((wire) => wire.close())));
    await prepareDatabase(postgres);
    const environments = environmentsOf({ gatewayPort, accountPort, socialPort }, wires, redis !== undefined);
    const start = async (role: Role): Promise<[Role, Supervised]> => {
      const logs = join(folder, "log");
      const running = await launchSupervised(role, role, { ...settings, ...environments[role] }, { logs, say });
      ends.push(() => running.stop());
      return [role, running];
    };
    const starts = [start("social"), start("account"), start("gateway")];
    // All starts have ended before a failed one ends the others.
    await Promise.allSettled(starts);
    const started = await Promise.all(starts);
    const query: Query = (text, values) => queryOnce(postgres.url("postgres", "roost"), text, values);
    return {
      gateway: `http://127.0.0.1:${gatewayPort}`,
      social: `http://127.0.0.1:${socialPort}`,
      processes: Object.fromEntries(started) as Record<Role, Supervised>,
      postgres,
      /** Undefined where there is no redis-server. */
      redis,
      wires,
      /** The parts that the supervisor has seen end, one entry each time: a role, or `Postgres`. */
      ended,
      /** What clients have written to this system since its start. */
      ledger,
      /** A folder of the rig's own: logs, and the data unless they are elsewhere. */
      folder,
      /** Where Postgres keeps its data. */
      home,
      query,
      /** Ends everything that was started, and deletes the folder or leaves the ledger in it. */
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function layWires(targets: Record<Wire, number | string>): Promise<Record<Wire, FaultProxy>> {
  const proxies = Object.entries(targets).map(async ([wire, target]) => [wire, await startFaultProxy(target)] as const);
  return Object.fromEntries(await Promise.all(proxies)) as Record<Wire, FaultProxy>;
}

/** The settings by which each process reaches the others, Postgres and Redis through the proxies. */
function environmentsOf(
  { gatewayPort, accountPort, socialPort }: Record<`${Role}Port`, number>,
  wires: Record<Wire, FaultProxy>,
  hasRedis: boolean,
): Record<Role, NodeJS.ProcessEnv> {
  const through = (wire: Wire, kind = "http") => `${kind}://127.0.0.1:${wires[wire].port}`;
  const database = (wire: Wire, role: string) =>
    `postgres://${role}@127.0.0.1:${wires[wire].port}/roost?sslmode=disable`;
  const cache = (wire: Wire) => (!hasRedis ? {} : { REDIS_URL: through(wire, "redis") });
  return {
    social: {
      SOCIAL_PORT: `${socialPort}`,
      SOCIAL_DATABASE_URL: database("social to Postgres", "social"),
      ...cache("social to Redis"),
    },
    account: {
      ACCOUNT_PORT: `${accountPort}`,
      ACCOUNT_DATABASE_URL: database("account to Postgres", "account"),
      SOCIAL_URL: through("account to social"),
    },
    gateway: {
      GATEWAY_PORT: `${gatewayPort}`,
      ACCOUNT_URL: through("gateway to account"),
      SOCIAL_URL: through("gateway to social"),
      ...cache("gateway to Redis"),
    },
  };
}
