import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { eventually } from "../../support/eventually.ts";
import type { FaultProxy } from "../../support/fault-proxy.ts";
import type { Role } from "../../support/launch.ts";
import type { Environment, Fault, FaultCase } from "../fault-case.ts";
import type { Rig, Wire } from "../rig.ts";

const roles: readonly Role[] = ["gateway", "account", "social"];
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
  return parts.flatMap(([part, wires]) => {
    const needs = part === "redis" ? ({ needs: "Redis", harmless: true } as const) : {};
    const replies = garbage(part);
    const faults: FaultCase[] = [
      {
        name: `slow-${part}`,
        title: `${part} answers after 4 s`,
        times: 2,
        // Longer than any deadline.
        fault: (rig) => slow(rig, wires, 2_000, 0, 12_000),
      },
      {
        name: `silent-${part}`,
        title: `packets from and to ${part} are lost for 6 s`,
        times: 3,
        fault: (rig) => onWires(rig, wires, (wire) => wire.stall(), 6_000),
      },
      {
        name: `refused-${part}`,
        title: `${part} takes no connections for 3 s`,
        times: 3,
        fault: (rig) => onWires(rig, wires, (wire) => wire.refuse(), 3_000),
      },
      {
        name: `garbage-${part}`,
        title: `${part} answers with garbage for 2 s, of another kind each time`,
        times: replies.length,
        fault: (rig, time) => onWires(rig, wires, (wire) => wire.answer(replies[time] ?? ""), 2_000),
      },
    ];
    return faults.map((one) => ({ ...one, ...needs }));
  });
}

function slow(rig: Rig, wires: readonly Wire[], ms: number, jitter: number, holdMs: number): Fault {
  return {
    begin: () => wires.forEach((wire) => rig.wires[wire].delay(ms, jitter)),
    holdMs,
    end: () => wires.forEach((wire) => rig.wires[wire].delay(0)),
  };
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
    fault: (rig) => limitingConnections(rig, ["database roost"], 0, 4_000),
  },
  {
    name: "few-connections",
    title: "Postgres gives each service two connections for 6 s",
    times: 2,
    fault: (rig) => limitingConnections(rig, ["role account", "role social"], 2, 6_000),
  },
  {
    name: "locks-held",
    title: "another session locks the tables of profiles and accounts for 6 s: every connection of the pools waits",
    times: 2,
    fault: holdingLocks,
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

function limitingConnections({ query }: Rig, whose: readonly string[], limit: number, holdMs: number): Fault {
  const setLimit = async (value: number) => {
    for (const one of whose) await query(`alter ${one} connection limit ${value}`);
  };
  return {
    async begin() {
      await setLimit(limit);
      await query("select pg_terminate_backend(pid) from pg_stat_activity where usename in ('account', 'social')");
    },
    holdMs,
    end: () => setLimit(-1),
  };
}

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

/** A fault of Redis other than kills and its connections. */
const flushes: FaultCase = {
  name: "redis-flushed",
  title: "Redis is flushed again and again for 5 s",
  times: 3,
  needs: "Redis",
  harmless: true,
  fault: flushing,
};

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
  ...roles.map((role) => pauseOf(role, `the ${role}`, async (rig) => [await pidOfRole(rig, role)])),
  pauseOf("postgres", "the postmaster and all that it has forked", async ({ postgres }) => {
    return [postgres.pid(), ...childrenOf(postgres.pid())];
  }),
  {
    ...pauseOf("redis", "Redis", async ({ redis }) => (redis === undefined ? [] : [redis.pid()])),
    needs: "Redis",
    harmless: true,
  },
];

/** @param find gives the ids of the processes, a parent first: then there are no new children */
function pauseOf(part: string, what: string, find: (rig: Rig) => Promise<number[]>): FaultCase {
  return {
    name: `pause-${part}`,
    title: `SIGSTOP of ${what} for 20 s, then SIGCONT`,
    times: 1,
    fault(rig) {
      let pids: number[] = [];
      return {
        async begin() {
          pids = await find(rig);
          for (const pid of pids) process.kill(pid, "SIGSTOP");
        },
        holdMs: 20_000,
        end() {
          for (const pid of pids.toReversed()) process.kill(pid, "SIGCONT");
        },
      };
    },
  };
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
}

const steps = roles.flatMap((role) => (["SIGUSR2", "SIGHUP"] as const).map((signal) => ({ role, signal })));

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
  ...roles.map(
    (role): FaultCase => ({
      name: `kill-${role}`,
      title: `kill -9 of the ${role === "gateway" ? "gateway" : `${role} service`}`,
      times: 20,
      ends: [role],
      ...(role === "gateway" && { alsoAllowed: ["broken"] }),
      fault: (rig) => signalling(() => pidOfRole(rig, role), "SIGKILL"),
    }),
  ),
  endOfPostgres("kill", "kill -9 of the postmaster", "SIGKILL", 20),
  endOfPostgres("quit", "immediate shutdown of Postgres (SIGQUIT)", "SIGQUIT", 5),
  endOfPostgres("restart", "fast restart of Postgres (SIGINT)", "SIGINT", 5),
  {
    name: "kill-redis",
    title: "kill -9 of Redis, started again empty after 0.3 s, or after 4 s",
    times: 20,
    needs: "Redis",
    harmless: true,
    fault: ({ redis }, time) => ({
      begin: () => redis?.kill(),
      holdMs: time % 5 === 4 ? 4_000 : 300,
      end: () => redis?.restart(),
    }),
  },
];

function endOfPostgres(word: string, title: string, signal: NodeJS.Signals, times: number): FaultCase {
  const fault = ({ postgres }: Rig) => signalling(async () => postgres.pid(), signal);
  return { name: `${word}-postgres`, title, times, ends: ["Postgres"], fault };
}

function signalling(find: () => Promise<number>, signal: NodeJS.Signals): Fault {
  return { begin: async () => void process.kill(await find(), signal), holdMs: 0, end: () => {} };
}

/** The process of a role that the supervisor has started last; waits until there is one. */
async function pidOfRole({ processes }: Rig, role: Role): Promise<number> {
  await eventually(`the ${role} is started again`, async () => processes[role].pid() !== undefined, 20);
  return processes[role].pid() as number;
}

/** Every case, in the order of a full run. */
export const cases: readonly FaultCase[] = [...kills, flushes, ...wireCases, ...shortages, ...clocks, ...pauses];
