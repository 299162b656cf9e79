import { readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { startBaseline } from "../baselines/baseline.ts";
import { type Recording, recordReplies, writeRecording } from "../baselines/recording.ts";
import { readNames } from "../dataset/datasets.ts";
import type { Draw, Target } from "../load/load.ts";
import { zipfDraw } from "../load/random.ts";
import { sendRequest } from "../load/send-request.ts";
import { type Figures, NotSupported, type Row, type Run } from "../row.ts";
import type { SideSystem, SystemKind } from "../side.ts";
import {
  batches,
  bearer,
  cookie,
  posts,
  profiles,
  registerViewer,
  timelines,
  type Viewer,
  withTags,
} from "./targets.ts";

/** Registering viewers costs no time: hashes are measured elsewhere. */
export const cheapHashes = { PASSWORD_HASH_MEMORY_KIB: "8", PASSWORD_HASH_PASSES: "1" };
const cached: SystemKind = { hasDataset: true, settings: cheapHashes };
const reused: SystemKind = { hasDataset: true, settings: { ...cheapHashes, REUSE_VERSIONS_MS: "200" } };
export const uncached: SystemKind = {
  hasDataset: true,
  // The path hides the redis-server that `npm start` would use.
  settings: { ...cheapHashes, PAGE_CACHE_BYTES: "0", PATH: "/nonexistent" },
};

type MakeTargets = (url: string) => Target[] | Promise<Target[]>;

const origin = { origin: "https://app.example" };
const asJsonp = () => timelines().map(({ path, headers }) => ({ path: `${path}&callback=show`, headers }));
const signedIn = (how: (viewer: Viewer) => Target["headers"]) => async (url: string) =>
  timelines(readNames, how(await registerViewer(url)));

/** Reads that are cached, as a part of what bare node:http sends. */
export const cachedReads: readonly Row[] = [
  ofNode("plain", "timeline of 20", 0.45, () => timelines()),
  ofNode("unchanged", "the same, If-None-Match that matches", 0.6, (url) => withTags(url, timelines()), {
    status: 304,
  }),
  ofNode("origin", "the same, from a page of another origin", 0.42, () => timelines(readNames, origin)),
  ofNode("jsonp", "the same, as JSONP", 0.4, asJsonp),
  ofNode("post", "the same, by POST of JSON", 0.42, posts),
  ofNode("cookie", "the same, signed in by the cookie", 0.32, signedIn(cookie)),
  ofNode("bearer", "the same, signed in by a bearer token", 0.32, signedIn(bearer)),
  ofNode("unknown", "404 of an unknown user", 0.6, () => timelines(readNames.map((name) => `no_${name}`)), {
    status: 404,
  }),
  ofNode("batch", "ten timelines of 20 in a batch", 0.4, batches),
  ofNode("profiles", "100 profiles by name", 0.35, profiles),
  ofNode("reused-plain", "timeline of 20, REUSE_VERSIONS_MS=200", 0.75, () => timelines(), { kind: reused }),
  ofNode("reused-cookie", "the same, signed in by the cookie", 0.6, signedIn(cookie), { kind: reused }),
  ofNode("reused-bearer", "the same, signed in by a bearer token", 0.6, signedIn(bearer), { kind: reused }),
];

/** Reads for which nothing is cached. */
export const uncachedReads: readonly Row[] = [
  ofMonolith("uncached-timeline", "timeline of 20, nothing cached", 0.9, () => timelines()),
  ofMonolith("uncached-profiles", "100 profiles by name, nothing cached", 2.5, profiles),
  {
    name: "uncached-viewer",
    title: "timeline of 20 for signed-in viewers, nothing cached",
    unit: "ms of processor, all processes",
    floor: { atMost: 1.5 },
    async prepare(side, run) {
      const system = await side.system(uncached);
      const viewers = await Promise.all(Array.from({ length: 50 }, () => registerViewer(system.url)));
      const targets = timelines().map((target, index) => {
        return { ...target, headers: bearer(viewers[index % viewers.length] as Viewer) };
      });
      await recordReplies(system.url, targets, 200);
      await warmUpFor(system, drawOf(targets), run);
      return async () => {
        const { processorMs, perSecond, p99 } = await takeTurn(system, drawOf(targets), run);
        if (processorMs === undefined) throw new NotSupported("there is no /proc");
        return { value: processorMs, perSecond, p99 };
      };
    },
  },
];

function ofNode(
  name: string,
  title: string,
  floor: number,
  targetsOf: MakeTargets,
  { kind = cached, status = 200 }: { kind?: SystemKind; status?: number } = {},
): Row {
  return {
    name,
    title,
    unit: "of node:http",
    floor: { atLeast: floor, p99AtMost: 3 },
    async prepare(side, run) {
      if (kind === reused && !readFileSync(join(side.root, "gateway/config.ts"), "utf8").includes("REUSE_VERSIONS_MS"))
        throw new NotSupported();
      const system = await side.system(kind);
      const targets = await targetsOf(system.url);
      const file = join(tmpdir(), `roost-recording-${process.pid}`);
      writeRecording(file, await recordReplies(system.url, targets, status));
      const node = await startBaseline("node-http", file).finally(() => rmSync(file));
      run.defer(node.stop);
      await warmUp(system, run);
      return () => takeTurns(system, node.url, drawOf(targets, status), run);
    },
  };
}

function ofMonolith(name: string, title: string, floor: number, targetsOf: () => Target[]): Row {
  return {
    name,
    title,
    unit: "of the monolith",
    floor: { atLeast: floor },
    async prepare(side, run) {
      const system = await side.system(uncached);
      const targets = targetsOf();
      const recording = await recordReplies(system.url, targets, 200);
      const monolith = await startBaseline("monolith", system.databaseUrl as string);
      run.defer(monolith.stop);
      await compareReplies(monolith.url, recording);
      await warmUp(system, run);
      return () => takeTurns(system, monolith.url, drawOf(targets), run);
    },
  };
}

// A monolith that did less work would be no fair baseline.
async function compareReplies(url: string, recording: Recording): Promise<void> {
  for (const [path, { body }] of [...recording].slice(0, 50)) {
    const reply = await sendRequest(url, path, {});
    const [ours, theirs] = [body, reply.body].map((bytes) => JSON.parse(Buffer.from(bytes).toString()) as unknown);
    if (!isDeepStrictEqual(ours, theirs)) throw new Error(`The monolith answers ${path} with other JSON`);
  }
}

/** Requests by Zipf's law, the same ones in every run. */
export function drawOf(targets: readonly Target[], status = 200): Draw {
  return { targets, order: zipfDraw(targets.length, 100_000), status };
}

const warm = new WeakSet<SideSystem>();

/** Before its first row: V8 compiles late what a system runs once for many requests. */
async function warmUp(system: SideSystem, run: Run): Promise<void> {
  if (warm.has(system)) return;
  warm.add(system);
  await warmUpFor(system, drawOf(timelines()), run);
}

/** The same for a row of other requests. */
export async function warmUpFor({ url }: SideSystem, draw: Draw, { load, seconds }: Run): Promise<void> {
  await load(url, draw, 10 * seconds);
}

/** One turn of the system and one of a baseline. */
async function takeTurns(system: SideSystem, baseline: string, draw: Draw, run: Run): Promise<Figures> {
  const own = await takeTurn(system, draw, run);
  const other = await takeTurn({ url: baseline }, draw, run);
  return { ...own, value: own.perSecond / other.perSecond, p99Ratio: own.p99 / other.p99 };
}

/** Turns whose figure is how many reads were answered in a second. */
export function perSecondOf(system: SideSystem, targets: readonly Target[], run: Run): () => Promise<Figures> {
  return async () => {
    const turn = await takeTurn(system, drawOf(targets), run);
    return { ...turn, value: turn.perSecond };
  };
}

/** Some seconds of load after one that is not measured, in which what has expired meanwhile is cached again. */
export async function takeTurn(
  { url, processorSeconds = () => undefined }: Pick<SideSystem, "url"> & Partial<SideSystem>,
  draw: Draw,
  { load, seconds }: Run,
) {
  await load(url, draw, 1);
  const before = processorSeconds();
  const { requests, perSecond, p99 } = await load(url, draw, seconds);
  const after = processorSeconds();
  const processorMs = before === undefined || after === undefined ? undefined : ((after - before) * 1_000) / requests;
  return { perSecond, p99, processorMs };
}
