import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sendRequest } from "./load/send-request.ts";
import type { Figures, Row } from "./results/row.ts";
import { type BenchSystem, startBenchSystem } from "./system/start-system.ts";
import { median } from "./trials/summarize.ts";

/** How often the system is started. */
const starts = 3;
/** How many idle connections are opened. */
const connections = 4_000;

/** How long the first requests after a start take, compared with the tenth; and the memory that an idle connection takes. */
export async function measureStart(): Promise<Row[]> {
  const home = mkdtempSync(join(tmpdir(), "roost-bench-"));
  const start = () => startBenchSystem(join(import.meta.dirname, ".."), { ROOST_HOME: home });
  try {
    await warmUpClient();
    const runs: Record<string, number[]>[] = [];
    let idle: Figures = {};
    for (let run = 0; run <= starts; run++) {
      const system = await start();
      try {
        // The first start makes the database and the users whose timelines the others ask for.
        const requests = {
          ...(run > 0 && { timeline: timelines() }),
          registration: registrations(run),
        };
        const times = await timesOf(system.url, requests);
        if (run > 0) runs.push(times);
        if (run === starts) idle = await memoryOfIdle(system);
      } finally {
        await system.stop();
      }
    }
    return [
      ...["timeline", "registration"].map((what) => firstRow(what, runs)),
      { name: "idle-connections", title: `${connections} idle connections, gateway`, figures: idle },
    ];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const names = Array.from({ length: 10 }, (_, index) => `first_${index}`);

interface Request {
  path: string;
  body?: string;
}

/** Timelines of different users, so that none is answered from a cache. */
function timelines(): Request[] {
  return names.map((name) => ({ path: `/social/${name}/timelines` }));
}

function registrations(run: number): Request[] {
  return names.map((name) => {
    const userName = run === 0 ? name : `${name}_${run}`;
    return { path: "/register", body: JSON.stringify({ userName, password: "correct horse" }) };
  });
}

/** Sends requests one after the other; the milliseconds of each, by kind. */
async function timesOf(url: string, requests: Record<string, Request[]>): Promise<Record<string, number[]>> {
  const times: Record<string, number[]> = {};
  for (const [what, list] of Object.entries(requests)) {
    times[what] = [];
    for (const { path, body } of list) {
      const start = performance.now();
      const { status } = await sendRequest(url, path, { "content-type": "application/json" }, body);
      times[what]?.push(performance.now() - start);
      if (status !== 200) throw new Error(`${path} answered ${status}`);
    }
  }
  return times;
}

function firstRow(what: string, runs: readonly Record<string, number[]>[]): Row {
  const of = (figure: (times: number[]) => number) => median(runs.map((times) => figure(times[what] as number[])));
  const [first, tenth] = [(times: number[]) => times[0] as number, (times: number[]) => times[9] as number];
  const figures = {
    "first ms": of(first),
    "tenth ms": of(tenth),
    "first above tenth ms": of((times) => first(times) - tenth(times)),
  };
  return { name: `first-${what}`, title: `first ${what} after a start`, figures };
}

/** The first requests of the bench's own client cost it time that is not the system's. */
async function warmUpClient(): Promise<void> {
  const server = createServer((request, response) => void request.pipe(response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (let round = 0; round < 200; round++) await sendRequest(url, "/", {}, "{}");
  server.closeAllConnections();
  server.close();
}

/** Each connection was answered once. */
async function memoryOfIdle(system: BenchSystem): Promise<Figures> {
  const pid = system.pid("gateway/main.ts");
  const open = (count: number) =>
    Promise.all(Array.from({ length: count }, () => answered(Number(new URL(system.url).port))));
  // What the first connections cost the process once.
  for (const socket of await open(100)) socket.destroy();
  await sleep(2_000);
  const before = residentKilobytes(pid);
  const sockets: Socket[] = [];
  while (sockets.length < connections) sockets.push(...(await open(50)));
  await sleep(2_000);
  const after = residentKilobytes(pid);
  for (const socket of sockets) socket.destroy();
  return before === undefined || after === undefined ? {} : { "each KB": (after - before) / connections };
}

function answered(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () =>
      socket.write(`GET /social/${names[0]} HTTP/1.1\r\nHost: localhost\r\n\r\n`),
    );
    socket.once("error", reject).once("data", () => resolve(socket));
  });
}

/** Resident memory now, in KB; undefined without /proc. */
function residentKilobytes(pid: number | undefined): number | undefined {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  } catch {
    return undefined;
  }
}
