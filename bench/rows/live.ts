import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { oncePer } from "../../services/platform/once-per.ts";
import { runAtOnce } from "../load/at-once.ts";
import { sendRequest } from "../load/send-request.ts";
import { type Figures, NotSupported, type Row, type Run } from "../row.ts";
import type { SideSystem, SystemKind } from "../side.ts";
import { processorSeconds, residentMemory } from "../system/processes.ts";
import { cheapHashes } from "./reads.ts";
import { bearer, registerViewer, type Viewer } from "./targets.ts";

const settings = {
  ...cheapHashes,
  RATE_LIMITS: "off",
  STREAMS_PER_ADDRESS: "0",
};
const latencySystem: SystemKind = { hasDataset: false, settings };
/** One of its own, so that nothing else has used the gateway before. */
const idleSystem: SystemKind = { hasDataset: false, settings };
const [watching, idle] = [2_500, 10_000];
const idleSeconds = 30;

/** Live streams of homes, each of another user, all of whom follow one author. */
export const live: readonly Row[] = [
  {
    name: "live-p50",
    title: `publication to event, ${watching} streams`,
    unit: "ms, p50",
    floor: { atMost: 250 },
    prepare: async (side, run) => latency(await side.system(latencySystem), run, 0.5),
  },
  {
    name: "live-p99",
    title: "the same",
    unit: "ms, p99",
    floor: { atMost: 300 },
    prepare: async (side, run) => latency(await side.system(latencySystem), run, 0.99),
  },
  {
    name: "live-memory",
    title: `${idle} idle streams`,
    unit: "MB of the gateway",
    floor: { atMost: 300 },
    isOnce: true,
    async prepare(side) {
      const system = await side.system(idleSystem);
      await openedForIdle(system);
      return async () => ({ value: residentMemory(system.gatewayPid()) ?? noProc() });
    },
  },
  {
    name: "live-idle",
    title: "the same",
    unit: "% of a core, gateway",
    floor: { atMost: 15 },
    isOnce: true,
    async prepare(side) {
      const system = await side.system(idleSystem);
      await openedForIdle(system);
      const pid = system.gatewayPid() ?? noProc();
      return async () => {
        const before = processorSeconds([pid]) ?? noProc();
        const all = system.processorSeconds() ?? noProc();
        await sleep(idleSeconds * 1_000);
        const value = (((processorSeconds([pid]) ?? noProc()) - before) / idleSeconds) * 100;
        return { value, processorMs: (((system.processorSeconds() ?? noProc()) - all) / idleSeconds) * 1_000 };
      };
    },
  },
];

function noProc(): never {
  throw new NotSupported("there is no /proc");
}

const openedOn = oncePer((system: SideSystem) => openHomes(system, watching));

const openedForIdle = oncePer((system: SideSystem) => openHomes(system, idle));

interface Opened {
  url: string;
  author: Viewer;
  /** Is called for each event. */
  onEvent(): void;
}

async function openHomes({ url }: SideSystem, count: number): Promise<Opened> {
  const author = await registerViewer(url);
  const opened: Opened = { url, author, onEvent() {} };
  await runAtOnce(16, { count }, async () => {
    const viewer = await registerViewer(url);
    await post(url, "FollowUser", viewer, { screenName: author.userName, following: true });
    await openHome(url, viewer, () => opened.onEvent());
  });
  // Until the beginning is over: each stream is read once more.
  await sleep(count * 2);
  return opened;
}

/** Milliseconds from a request to publish until its event has come, of this share of the streams. */
async function latency(system: SideSystem, run: Run, share: number): Promise<() => Promise<Figures>> {
  const opened = await openedOn(system);
  return async () => {
    const times: number[] = [];
    for (let index = 0; index < run.seconds * 3; index++) times.push(...(await publishOnce(opened)));
    times.sort((a, b) => a - b);
    return { value: times[Math.floor(times.length * share)] ?? Number.NaN };
  };
}

async function publishOnce(opened: Opened): Promise<number[]> {
  const times: number[] = [];
  const begin = performance.now();
  await new Promise<void>((resolve, reject) => {
    opened.onEvent = () => {
      if (times.push(performance.now() - begin) === watching) resolve();
    };
    post(opened.url, "PublishStatus", opened.author, { text: "hello" }).catch(reject);
  });
  // So that it does not begin at the same moment of the service's interval.
  await sleep(300 + Math.random() * 100);
  return times;
}

async function post(url: string, operation: string, viewer: Viewer, body: object): Promise<void> {
  const headers = { ...bearer(viewer), "content-type": "application/json" };
  const { status } = await sendRequest(url, `/json/reply/${operation}`, headers, JSON.stringify(body));
  if (status !== 200) throw new Error(`${operation} was answered ${status}`);
}

/** Opens a stream and resolves when it has begun. It is read as bytes: a client should cost less than what is measured. */
function openHome(url: string, { sessionId }: Viewer, onEvent: () => void): Promise<void> {
  const { hostname, port } = new URL(url);
  const head = `GET /timelines/home/live HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${sessionId}\r\n\r\n`;
  return new Promise((resolve, reject) => {
    let hasBegun = false;
    const socket: Socket = connect(Number(port), hostname, () => socket.write(head));
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("a stream has ended")));
    socket.on("data", (bytes) => {
      if (bytes.includes("event: status")) onEvent();
      if (hasBegun || !bytes.includes("id: ")) return;
      hasBegun = true;
      resolve();
    });
  });
}
