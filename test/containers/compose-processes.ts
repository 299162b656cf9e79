import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { compile } from "../../compile/compile.ts";
import { isStarted } from "../../compile/plan.ts";
import { exitOf } from "../../services/local/child-process.ts";
import { startPostgres } from "../../services/local/postgres/start-postgres.ts";
import { makeDataFolder } from "../support/data-folder.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/listen.ts";
import { type ComposeService, copiedIntoImage, readComposeFile, root } from "./compose-file.ts";

export type ComposeProcesses = Awaited<ReturnType<typeof composeProcesses>>;

/** The path with the folder of system programs, where haproxy is. */
const searchPath = `${process.env.PATH}:/usr/sbin`;

interface Started {
  child?: ChildProcess;
  isOurs?: boolean;
  output: string;
  stop(): Promise<unknown>;
}

/**
 * The containers of docker-compose.yml as processes of this machine.
 * @param canRun which of these programs the machine has
 */
export async function composeProcesses(canRun: { redis: boolean; haproxy: boolean }) {
  const { services } = readComposeFile();
  const image = makeImageFolder();
  // Node in the image strips types itself; the one that runs the tests may not. This takes a third of the time that everything would need.
  const nodeOptions = await compile({
    root: image,
    folder: join(image, ".roost/compiled"),
    folders: ["services", "gateway", "cli"],
    isCompiled: isStarted,
  });
  const folder = mkdtempSync(join(tmpdir(), "roost-volumes-"));
  const address = ownAddress();
  const ports = new Map<string, number>();
  for (const name of Object.keys(services)) ports.set(`${name}.1`, await freePort());
  const balancerPorts = new Map<string, number>();
  for (const setting of ["GATEWAY_PORT", "ACCOUNT_PORT", "SOCIAL_PORT"]) balancerPorts.set(setting, await freePort());
  const started = new Map<string, Started>();

  const serviceOf = (name: string) => services[name] as ComposeService;
  const key = (name: string, replica: number) => `${name}.${replica}`;
  /** The port of one of a service's processes. */
  const port = (name: string, replica = 1) => ports.get(key(name, replica)) as number;
  const isTask = (name: string) => serviceOf(name).restart === "no";
  const isOurs = (name: string) => serviceOf(name).image === "roost";
  const isRedis = (name: string) => serviceOf(name).image.startsWith("redis:");
  /** The port of the balancer by the name of its setting, such as GATEWAY_PORT. */
  const balancerPort = (setting: string) => balancerPorts.get(setting) as number;

  /** Starts a service after those it depends on, and resolves when each is healthy or, for a task, done. */
  async function up(name: string, replicas = 1): Promise<void> {
    for (const needed of Object.keys(serviceOf(name).depends_on ?? {})) await up(needed);
    const wanted = Array.from({ length: replicas }, (_, index) => index + 1);
    await Promise.all(wanted.filter((replica) => !started.has(key(name, replica))).map((one) => start(name, one)));
  }

  async function start(name: string, replica: number): Promise<void> {
    if (replica > 1) ports.set(key(name, replica), await freePort());
    if (name === "postgres") {
      const server = await startPostgresOn(port(name));
      started.set(key(name, replica), { output: "", stop: server.stop });
    } else if (isTask(name)) {
      const { code, output } = await run(name);
      if (code !== 0) throw new Error(`${name} ended with ${code}: ${output}`);
      started.set(key(name, replica), { output, stop: async () => {} });
    } else if (isRedis(name) ? canRun.redis : isOurs(name) || canRun.haproxy) {
      started.set(key(name, replica), launch(name, replica));
      // Each health check is a process, so the first one waits for this.
      await ready(started.get(key(name, replica)) as Started);
      if (!isRedis(name)) await eventually(`${name} is healthy`, () => isHealthy(name, replica), 240);
    }
  }

  /** Starts the service's process, with paths and addresses of this machine. */
  function launch(name: string, replica: number): Started {
    const { entrypoint = [], command } = serviceOf(name);
    const own = isRedis(name) ? ["--port", `${port(name)}`] : [];
    const words = [...entrypoint, ...command, ...own].map((word) => mountedFile(name, word) ?? word);
    const [program = "", ...args] = words;
    const loader = program === "node" ? nodeOptions : [];
    const child = spawn(program === "node" ? process.execPath : program, [...loader, ...args], {
      cwd: image,
      env: { PATH: searchPath, NODE_ENV: "production", ...environmentOf(name, replica) },
      // By the channel our processes notice when this one ends.
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    const process_: Started = { child, isOurs: isOurs(name), output: "", stop: () => endChild(child) };
    const append = (chunk: Buffer) => (process_.output += chunk.toString());
    child.stdout?.on("data", append);
    child.stderr?.on("data", append);
    return process_;
  }

  function environmentOf(name: string, replica: number): NodeJS.ProcessEnv {
    const place = placeOf(name);
    const entries = Object.entries(serviceOf(name).environment ?? {}).map(([setting, value]) => {
      if (setting.endsWith("_ADMIN_PORT")) return [setting, "0"];
      if (setting.endsWith("_PORT"))
        return [setting, `${name === "balancer" ? balancerPort(setting) : port(name, replica)}`];
      // Here the balancer connects from this machine's address.
      if (value === "uniquelocal") return [setting, canRun.haproxy ? address : ""];
      const text = `${value ?? ""}`.replace(/\b([\w-]+):\d+$/, (whole, host: string) =>
        services[host] === undefined ? whole : `${address}:${port(host, replicaFor(host, replica))}`,
      );
      return [setting, text.startsWith("/") ? join(place, text) : text];
    });
    return Object.fromEntries(entries) as NodeJS.ProcessEnv;
  }

  /** Distributes callers over the processes behind a name, like the containers' DNS. */
  function replicaFor(host: string, replica: number): number {
    return ports.has(key(host, replica)) ? replica : 1;
  }

  /** The file of the repository that a container has at a path. */
  function mountedFile(name: string, path: string): string | undefined {
    const mounted = (serviceOf(name).volumes ?? []).map((volume) => volume.split(":"));
    const [source] = mounted.find(([from = "", to]) => from.startsWith("./") && to === path) ?? [];
    return source && join(root, source);
  }

  /** A folder in place of a container's root, with links to its volumes. */
  function placeOf(name: string): string {
    const place = join(folder, "containers", name);
    for (const volume of serviceOf(name).volumes ?? []) {
      const [source = "", target = ""] = volume.split(":");
      if (source.startsWith("./")) continue;
      mkdirSync(join(folder, source), { recursive: true });
      mkdirSync(dirname(join(place, target)), { recursive: true });
      rmSync(join(place, target), { force: true });
      symlinkSync(join(folder, source), join(place, target));
    }
    return place;
  }

  async function isHealthy(name: string, replica: number): Promise<boolean> {
    const { child, output } = started.get(key(name, replica)) as Started;
    if (child?.exitCode !== null) throw new Error(`${name} ended: ${output}`);
    const [, program = "", ...args] = (serviceOf(name).healthcheck as { test: string[] }).test;
    const env = { PATH: searchPath, ...environmentOf(name, replica) };
    const check = spawn(program === "node" ? process.execPath : program, args, { env, stdio: "ignore" });
    return (await ended(check)) === 0;
  }

  /** Runs a task. */
  async function run(name: string): Promise<{ code: number | null; output: string }> {
    const task = launch(name, 1);
    const code = await ended(task.child as ChildProcess);
    return { code, output: task.output };
  }

  return {
    /** The address by which the processes reach each other; loopback only when the machine has no other. */
    address,
    port,
    balancerPort,
    up,
    run,
    /** The path of a file in a volume. */
    file: (volume: string, name: string) => join(folder, volume, name),
    /** Ends a service's first process; resolves with its exit code. */
    end: (name: string) => endChild((started.get(key(name, 1)) as Started).child as ChildProcess),
    async stop() {
      for (const service of [...started.values()].toReversed()) await service.stop();
      for (const path of [image, folder]) rmSync(path, { recursive: true, force: true });
    },
  };
}

/** Resolves when one of our processes has reported that it is ready, or has ended; at once for other programs. */
function ready({ child, isOurs }: Started): Promise<void> {
  if (child === undefined || !isOurs) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("message", () => resolve());
    child.once("exit", () => resolve());
  });
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code));
  });
}

async function endChild(child: ChildProcess): Promise<number | null> {
  child.kill("SIGTERM");
  return (await exitOf(child)).code;
}

/** An address of this machine other than loopback if there is one, so that services ask for tokens as in containers. */
export function ownAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const outside = addresses.find(({ family, internal }) => family === "IPv4" && !internal);
  if (outside === undefined)
    console.warn("\n!!! No address but loopback: that services ask for tokens, and the balancer, are not tested !!!\n");
  return outside?.address ?? "127.0.0.1";
}

/** A folder with only what the Dockerfile copies, so that a missing file makes the tests fail. */
function makeImageFolder(): string {
  const path = mkdtempSync(join(tmpdir(), "roost-image-"));
  for (const name of copiedIntoImage()) cpSync(join(root, name), join(path, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(path, "node_modules"));
  return path;
}

/** Starts a Postgres of its own on a TCP port of every address, as containers have it. It asks for no password. */
async function startPostgresOn(port: number): Promise<{ stop(): Promise<void> }> {
  const home = makeDataFolder("roost-compose-");
  const postgres = await startPostgres({ home, durable: false });
  const folder = new URL(postgres.url("postgres", "postgres")).searchParams.get("host") as string;
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (client) => {
    const inner = connect(join(folder, ".s.PGSQL.5432"));
    for (const [socket, other] of [
      [client, inner],
      [inner, client],
    ] as const) {
      sockets.add(socket);
      socket.pipe(other);
      socket.on("error", () => other.destroy()).on("close", () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(port, resolve));
  return {
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await postgres.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
