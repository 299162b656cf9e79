import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { FaultProxy } from "../../support/fault-proxy.ts";
import type { Role } from "../../support/launch.ts";
import type { Environment, Fault, FaultCase } from "../fault-case.ts";
import type { Rig, Wire } from "../rig.ts";

const toPostgres: readonly Wire[] = ["account to Postgres", "social to Postgres"];
const toRedis: readonly Wire[] = ["gateway to Redis", "social to Redis"];
const toSocial: readonly Wire[] = ["gateway to social", "account to social"];
const toAccount: readonly Wire[] = ["gateway to account"];
const all = [...toPostgres, ...toRedis, ...toSocial, ...toAccount];

/** Faults of the connections: delays, lost packets, refusals, garbage. */
const wireCases: readonly FaultCase[] = [
  {
    name: "slow-network",
    title: "50 ms ± 20 each way between all parts",
    times: 3,
    harmless: true,
    fault: (rig) => slow(rig, all, 50, 20, 8_000),
  },
  ...dependencies([
    ["postgres", toPostgres],
    ["social", toSocial],
    ["account", toAccount],
    ["redis", toRedis],
  ]),
];

function dependencies(parts: readonly [name: string, wires: readonly Wire[]][]): FaultCase[] {
  return parts.flatMap(([part, wires]): FaultCase[] => {
    const needs = part === "redis" ? ({ needs: "Redis", harmless: true } as const) : {};
    return [
      {
        name: `slow-${part}`,
        title: `${part} answers after 4 s`,
        times: 2,
        ...needs,
        // Longer than any deadline.
        fault: (rig) => slow(rig, wires, 2_000, 0, 12_000),
      },
      {
        name: `silent-${part}`,
        title: `packets from and to ${part} are lost for 6 s`,
        times: 3,
        ...needs,
        fault: (rig) => onWires(rig, wires, (wire) => wire.stall(), 6_000),
      },
      {
        name: `refused-${part}`,
        title: `${part} takes no connections for 3 s`,
        times: 3,
        ...needs,
        fault: (rig) => onWires(rig, wires, (wire) => wire.refuse(), 3_000),
      },
      {
        name: `garbage-${part}`,
        title: `${part} answers with garbage for 2 s, of another kind each time`,
        times: garbage(part).length,
        ...needs,
        fault: (rig, time) => onWires(rig, wires, (wire) => wire.answer(garbage(part)[time] ?? ""), 2_000),
      },
    ];
  });
}

function slow(rig: Rig, wires: readonly Wire[], ms: number, jitter: number, holdMs: number): Fault {
  const delay = (...by: [ms: number, jitter?: number]) => {
    for (const wire of wires) rig.wires[wire].delay(...by);
  };
  return { begin: () => delay(ms, jitter), holdMs, end: () => delay(0) };
}

function onWires(rig: Rig, wires: readonly Wire[], breaks: (wire: FaultProxy) => void, holdMs: number): Fault {
  return {
    begin: () => wires.forEach((wire) => breaks(rig.wires[wire])),
    holdMs,
    end: () => wires.forEach((wire) => rig.wires[wire].heal()),
  };
}

/**
 * Invalid replies in the form of each protocol: nonsense, a wrong type, a wrong length, half a reply. No valid message with false
 * contents, such as the end of a query that was not run: no client can detect that.
 */
function garbage(part: string): readonly string[] {
  if (part === "postgres") {
    return ["garbage\r\n\r\n", "\x7f\0\0\0\x08abcd", "R\0\0\0\x08\0\0\0\x63", "E\0\0\0\x09Sx\0\0\0"];
  }
  if (part === "redis") return ["garbage\r\n", "$5\r\nab", ":x\r\n", "*-7\r\n", "-ERR no\r\n", "\0\0\0\0"];
  const head = (type: string, length: number) =>
    `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`;
  return [
    "garbage\r\n\r\n",
    `${head("text/html", 7)}garbage`,
    `${head("application/proto", 7)}garbage`,
    `${head("application/proto", 99)}garbage`,
    `${head("application/json", 7)}garbage`.replace("200 OK", "502 Bad Gateway"),
  ];
}

/** Shortages: of connections, locks, disk. */
const shortages: readonly FaultCase[] = [
  {
    name: "no-connections",
    title: "Postgres cuts all connections and gives no new ones for 4 s",
    times: 3,
    fault: ({ query }) => ({
      async begin() {
        await query("alter database roost connection limit 0");
        await query("select pg_terminate_backend(pid) from pg_stat_activity where usename in ('account', 'social')");
      },
      holdMs: 4_000,
      end: async () => void (await query("alter database roost connection limit -1")),
    }),
  },
  {
    name: "few-connections",
    title: "Postgres gives each service two connections for 6 s",
    times: 2,
    fault: ({ query }) => ({
      async begin() {
        for (const role of ["account", "social"]) await query(`alter role ${role} connection limit 2`);
        await query("select pg_terminate_backend(pid) from pg_stat_activity where usename in ('account', 'social')");
      },
      holdMs: 6_000,
      async end() {
        for (const role of ["account", "social"]) await query(`alter role ${role} connection limit -1`);
      },
    }),
  },
  {
    name: "locks-held",
    title:
      "another session locks the tables of profiles and accounts for 6 s, so that every connection of the pools waits",
    times: 2,
    fault: (rig) => holdingLocks(rig),
  },
  {
    name: "disk-full",
    title: "the disk of Postgres is full for 5 s",
    times: 3,
    // Postgres ends when it cannot write its WAL.
    ends: ["Postgres"],
    environment: smallDisk,
    fault: ({ home }) => fillingDisk(join(home, "ballast")),
  },
];

function holdingLocks({ postgres }: Rig): Fault {
  const holder = new pg.Client({ connectionString: postgres.url("postgres", "roost") });
  return {
    async begin() {
      await holder.connect();
      await holder.query("begin; lock table social.profile, account.account in access exclusive mode");
    },
    holdMs: 6_000,
    end: () => holder.end(),
  };
}

function fillingDisk(ballast: string): Fault {
  return {
    begin() {
      const file = openSync(ballast, "w");
      // Down to the last byte: Postgres takes what is left in pages of 8 KiB.
      for (let size = 1 << 20; size >= 1; ) {
        try {
          if (writeSync(file, Buffer.alloc(size)) < size) size >>= 1;
        } catch {
          size >>= 1;
        }
      }
      closeSync(file);
    },
    holdMs: 5_000,
    end: () => rmSync(ballast, { force: true }),
  };
}

/** A disk of 224 MiB in memory: a new database takes 60, and its WAL may grow by as much again. */
function smallDisk(): Environment {
  const place = mkdtempSync(join(tmpdir(), "roost-disk-"));
  const { status, stderr, error } = spawnSync("mount", ["-t", "tmpfs", "-o", "size=224m", "tmpfs", place], {
    encoding: "utf8",
  });
  if (status !== 0) {
    rmSync(place, { recursive: true });
    return { why: `LEFT OUT, a small disk needs root and mount: ${(error?.message ?? stderr).trim()}` };
  }
  return {
    options: { home: place },
    leave() {
      spawnSync("umount", [place]);
      rmSync(place, { recursive: true, force: true });
    },
  };
}

/** Faults of Redis other than kills and its connections. */
const redisCases: readonly FaultCase[] = [
  {
    name: "redis-stopped",
    title: "Redis is stopped, and started again after 4 s",
    times: 3,
    needs: "Redis",
    harmless: true,
    fault: ({ redis }) => ({ begin: () => redis?.kill(), holdMs: 4_000, end: () => redis?.restart() }),
  },
  {
    name: "redis-flushed",
    title: "Redis is flushed again and again for 5 s",
    times: 3,
    needs: "Redis",
    harmless: true,
    fault: flushing,
  },
];

function flushing({ redis }: Rig): Fault {
  let isOver = false;
  let flushed: Promise<void> = Promise.resolve();
  const flush = async () => {
    while (!isOver) {
      await redis?.send("FLUSHALL");
      await sleep(Math.random() * 60);
    }
  };
  return {
    begin: () => void (flushed = flush()),
    holdMs: 5_000,
    async end() {
      isOver = true;
      await flushed;
    },
  };
}

/** Each process is stopped for 20 s, as on a machine that swaps, and then continues. */
const pauses: readonly FaultCase[] = [
  ...(["gateway", "account", "social"] as const).map(
    (role): FaultCase => ({
      name: `pause-${role}`,
      title: `SIGSTOP of the ${role} for 20 s, then SIGCONT`,
      times: 1,
      fault: (rig) => pausing(async () => [await pidOfRole(rig, role)]),
    }),
  ),
  {
    name: "pause-postgres",
    title: "SIGSTOP of the postmaster and all that it has forked for 20 s, then SIGCONT",
    times: 1,
    fault: ({ postgres }) => pausing(async () => [postgres.pid(), ...childrenOf(postgres.pid())]),
  },
  {
    name: "pause-redis",
    title: "SIGSTOP of Redis for 20 s, then SIGCONT",
    times: 1,
    needs: "Redis",
    harmless: true,
    fault: ({ redis }) => pausing(async () => (redis === undefined ? [] : [redis.pid()])),
  },
];

function pausing(find: () => Promise<number[]>): Fault {
  let pids: number[] = [];
  return {
    async begin() {
      // The parent first: then there are no new children.
      pids = await find();
      for (const pid of pids) process.kill(pid, "SIGSTOP");
    },
    holdMs: 20_000,
    end() {
      for (const pid of pids.toReversed()) process.kill(pid, "SIGCONT");
    },
  };
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
}

const steps = (["gateway", "account", "social"] as const).flatMap((role) => [
  { role, signal: "SIGUSR2" as const },
  { role, signal: "SIGHUP" as const },
]);

/** One process's clock is an hour ahead, or behind, for 5 s: ids, tokens, sessions and deadlines must not suffer. */
const clocks: readonly FaultCase[] = [
  {
    name: "clock-step",
    title: "the clock of one process after the other steps an hour ahead, an hour back, and right again",
    times: steps.length,
    harmless: true,
    environment: () => ({
      why: "steps Date in our own three processes (clock-step.ts); the clocks of Postgres and Redis are LEFT OUT: libfaketime does not get along with the allocator of Redis, and Postgres starts with an environment of its own",
      options: {
        settings: { NODE_OPTIONS: `--import tsx --import ${join(import.meta.dirname, "../clock-step.ts")}` },
      },
      leave() {},
    }),
    fault(rig, time) {
      const { role, signal } = steps[time % steps.length] as (typeof steps)[number];
      const send = async (signal: NodeJS.Signals) => void process.kill(await pidOfRole(rig, role), signal);
      return { begin: () => send(signal), holdMs: 5_000, end: () => send("SIGWINCH") };
    },
  },
];

/** kill -9 of each process, and shutdowns of Postgres. The supervisor restarts each process, the runner Redis. */
export const kills: readonly FaultCase[] = [
  ...(["gateway", "account", "social"] as const).map(
    (role): FaultCase => ({
      name: `kill-${role}`,
      title: `kill -9 of the ${role === "gateway" ? "gateway" : `${role} service`}`,
      times: 20,
      ends: [role],
      ...(role === "gateway" && { alsoAllowed: ["broken"] }),
      fault: ({ processes }) => killing(() => processes[role].pid()),
    }),
  ),
  {
    name: "kill-postgres",
    title: "kill -9 of the postmaster",
    times: 20,
    ends: ["Postgres"],
    fault: ({ postgres }) => endingPostgres(postgres, "SIGKILL"),
  },
  {
    name: "quit-postgres",
    title: "immediate shutdown of Postgres (SIGQUIT)",
    times: 5,
    ends: ["Postgres"],
    fault: ({ postgres }) => endingPostgres(postgres, "SIGQUIT"),
  },
  {
    name: "restart-postgres",
    title: "fast restart of Postgres (SIGINT)",
    times: 5,
    ends: ["Postgres"],
    fault: ({ postgres }) => endingPostgres(postgres, "SIGINT"),
  },
  {
    name: "kill-redis",
    title: "kill -9 of Redis, started again empty",
    times: 20,
    needs: "Redis",
    harmless: true,
    fault: ({ redis }) => ({
      begin: () => redis?.kill(),
      holdMs: 300,
      end: () => redis?.restart(),
    }),
  },
];

/** The process that the supervisor has started last; waits until there is one. */
async function pidOf(find: () => number | undefined): Promise<number> {
  for (let attempt = 0; attempt < 1_000; attempt++) {
    const pid = find();
    if (pid !== undefined) return pid;
    await sleep(20);
  }
  throw new Error("a process was not started again within 20 s");
}

function killing(find: () => number | undefined): Fault {
  return {
    begin: async () => void process.kill(await pidOf(find), "SIGKILL"),
    holdMs: 0,
    end: () => {},
  };
}

function endingPostgres(postgres: Rig["postgres"], signal: NodeJS.Signals): Fault {
  return { begin: () => void process.kill(postgres.pid(), signal), holdMs: 0, end: () => {} };
}

/** The id of a process by its role. */
function pidOfRole({ processes }: Rig, role: Role): Promise<number> {
  return pidOf(() => processes[role].pid());
}

/** Every case, in the order of a full run. */
export const cases: readonly FaultCase[] = [...kills, ...redisCases, ...wireCases, ...shortages, ...clocks, ...pauses];
