import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { Environment, Fault, FaultCase } from "../fault-case.ts";
import type { Rig } from "../rig.ts";

/** Shortages: of connections, locks, disk. */
export const shortages: readonly FaultCase[] = [
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
