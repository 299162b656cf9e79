import { compileBinder, wantedOf } from "../../gateway/binding/compile-binder.ts";
import { parseBody } from "../../gateway/binding/parse-body.ts";
import { requestObject } from "../../gateway/operations/read-sources.ts";
import { SocialUsersRequestSchema } from "../../proto/gen/social/v1/social_service_pb.ts";
import type { Measurement } from "../measurement.ts";
import { startRedis } from "../system/redis.ts";
import {
  askForDifferentPages,
  leaveHeadsUnfinished,
  leaveUploadsUnfinished,
  readNothing,
  type Statuses,
  sendBatches,
  sendOneByteChunks,
} from "./attacks.ts";
import { hostileBodies } from "./hostile-bodies.ts";
import { type SmallGateway, startSmallGateway } from "./small-gateway.ts";

/** Megabytes that a gateway with a heap of 256 MiB may take: 400 MiB. */
const maxMemory = 419;
/** Milliseconds of processor time that reading a body of 1 MiB may take. */
const maxProcessor = 20;

/**
 * What hostile requests cost: the memory of a gateway with a small heap, one attack after the other, and the processor time of
 * the worst bodies.
 */
export async function measureAttacks(): Promise<Measurement[]> {
  return [...(await memoryUnderAttacks()), ...worstBodies(), ...(await manyPages())];
}

const attacks: readonly [name: string, run: (gateway: SmallGateway) => Promise<Statuses | void>][] = [
  ["4 bodies of 1 MiB in chunks of a byte", ({ port }) => sendOneByteChunks(port, 4)],
  ["400 unfinished uploads of 1 MiB", ({ port }) => leaveUploadsUnfinished(port, 400, 5_000)],
  ["40 batches of 100 timelines of 200", ({ url }) => sendBatches(url, 40)],
  ["1,500 unfinished heads of 200 KB", ({ port }) => leaveHeadsUnfinished(port, 1_500, 5_000)],
  ["500 clients who do not read 20 pages", ({ port }) => readNothing(port, 500, 10_000)],
];

async function memoryUnderAttacks(): Promise<Measurement[]> {
  const gateway = await startSmallGateway();
  try {
    const rows: Measurement[] = [];
    for (const [name, attack] of attacks) {
      const statuses = await attack(gateway);
      const memory = gateway.peakMemory() ?? 0;
      const verdict = gateway.isAlive() && memory < maxMemory ? "held" : "missed";
      const replies = statuses === undefined ? "" : `; replies ${JSON.stringify(statuses)}`;
      rows.push({ name, value: `gateway at most ${memory} MB (${verdict}: ${maxMemory} MB)${replies}` });
    }
    return rows;
  } finally {
    await gateway.stop();
  }
}

/** Different pages of one user, as fast as one client gets them. */
async function manyPages(): Promise<Measurement[]> {
  const redis = await startRedis();
  const gateway = await startSmallGateway(redis === undefined ? {} : { REDIS_URL: redis.url });
  try {
    const [pages, start] = [39_000, performance.now()];
    await askForDifferentPages(gateway.url, pages, 16);
    const perMinute = Math.round((pages / (performance.now() - start)) * 60_000);
    const memory = gateway.peakMemory() ?? 0;
    const used = await redis?.send("INFO", "memory");
    const redisMemory = /used_memory_human:(\S+)/.exec(used ?? "")?.[1] ?? "not measured";
    const value = `${perMinute} a minute; gateway at most ${memory} MB, Redis ${redisMemory}`;
    return [{ name: "39,000 different pages from one client", value }];
  } finally {
    await gateway.stop();
    await redis?.stop();
  }
}

/** The three that cost most, each the best of five measurements. */
function worstBodies(): Measurement[] {
  const [bind, wanted] = [compileBinder(SocialUsersRequestSchema), wantedOf(SocialUsersRequestSchema)];
  const rows = [...hostileBodies()].map(({ name, contentType, body }) => {
    const read = () => {
      const { json, form } = parseBody(body, { "content-type": contentType }, wanted);
      bind(requestObject(json), [form]);
    };
    return { name, ms: Math.min(...Array.from({ length: 5 }, () => processorMs(read))) };
  });
  const worst = rows.toSorted((a, b) => b.ms - a.ms).slice(0, 3);
  return worst.map(({ name, ms }) => {
    const verdict = ms <= maxProcessor ? "held" : "missed";
    return {
      name: `1 MiB to read: ${name}`,
      value: `${ms.toFixed(1)} ms of processor (${verdict}: ${maxProcessor} ms)`,
    };
  });
}

function processorMs(read: () => void): number {
  const start = process.cpuUsage();
  try {
    read();
  } catch {
    // Refused, as it should be.
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}
