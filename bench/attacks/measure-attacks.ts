import { compileBinder, wantedOf } from "../../gateway/binding/compile-binder.ts";
import { parseBody } from "../../gateway/binding/parse-body.ts";
import { requestObject } from "../../gateway/operations/read-sources.ts";
import { SocialUsersRequestSchema } from "../../proto/gen/social/v1/social_service_pb.ts";
import type { Figures, Row } from "../results/row.ts";
import { startRedis } from "../system/redis.ts";
import {
  askForDifferentPages,
  leaveBodiesOut,
  leaveHeadsUnfinished,
  leaveUploadsUnfinished,
  pipelineBatches,
  readNothing,
  type Statuses,
  sendBatches,
  sendBehindSlow,
  sendOneByteChunks,
  waitForLists,
} from "./attacks.ts";
import { hostileBodies } from "./hostile-bodies.ts";
import { type SmallGateway, startSmallGateway } from "./small-gateway.ts";

/**
 * What hostile requests cost: the memory of a gateway with a small heap, one attack after the other, and the processor time of
 * the worst bodies.
 */
export async function measureAttacks(): Promise<Row[]> {
  return [...(await memoryUnderAttacks()), ...worstBodies(), ...(await manyPages())];
}

type Attack = (gateway: SmallGateway) => Promise<Statuses | void>;

const attacks: readonly [name: string, title: string, run: Attack][] = [
  ["one-byte-chunks", "4 bodies of 1 MiB in chunks of a byte", ({ port }) => sendOneByteChunks(port, 4)],
  ["unfinished-uploads", "400 unfinished uploads of 1 MiB", ({ port }) => leaveUploadsUnfinished(port, 400, 5_000)],
  ["large-batches", "40 batches of 100 timelines of 200", ({ url }) => sendBatches(url, 40)],
  ["unfinished-heads", "1,500 unfinished heads of 200 KB", ({ port }) => leaveHeadsUnfinished(port, 1_500, 5_000)],
  [
    "heads-without-bodies",
    "1,000 heads of 55 KB without their bodies",
    ({ port }) => leaveBodiesOut(port, 1_000, 5_000),
  ],
  [
    "heads-behind-slow",
    "99 heads of 240 KB behind a slow request, four times",
    ({ port }) => sendBehindSlow(port, 4, 5_000),
  ],
  ["waiting-lists", "3,000 lookups of 1,000 ids that wait", ({ port }) => waitForLists(port, 3_000, 4_000)],
  ["pipelined-batches", "4,000 pipelined batches of 70 items", ({ port }) => pipelineBatches(port, 4_000, 4_000)],
  ["unread-replies", "500 clients who do not read 20 pages", ({ port }) => readNothing(port, 500, 10_000)],
];

async function memoryUnderAttacks(): Promise<Row[]> {
  const gateway = await startSmallGateway();
  try {
    const rows: Row[] = [];
    for (const [name, title, attack] of attacks) {
      const statuses = await attack(gateway);
      const figures = { ...memoryOf(gateway), "gateways ended": gateway.isAlive() ? 0 : 1 };
      const notes = statuses === undefined ? [] : [`replies ${JSON.stringify(statuses)}`];
      rows.push({ name, title, figures, notes });
    }
    return rows;
  } finally {
    await gateway.stop();
  }
}

function memoryOf(gateway: SmallGateway): Figures {
  const peak = gateway.peakMemory();
  return peak === undefined ? {} : { "gateway MB": peak };
}

/** Seconds for which different pages are requested: by then every cache is full, and memory grows no more. */
const manyPagesSeconds = 20;

/** Different pages of one user, as fast as one client gets them. */
async function manyPages(): Promise<Row[]> {
  const redis = await startRedis();
  const gateway = await startSmallGateway(redis === undefined ? {} : { REDIS_URL: redis.url });
  try {
    const pages = await askForDifferentPages(gateway.url, manyPagesSeconds, 16);
    const figures = {
      "pages/s": pages / manyPagesSeconds,
      ...memoryOf(gateway),
      ...(redis && { "Redis MB": await redis.usedMegabytes() }),
    };
    return [{ name: "different-pages", title: "different pages from one client", figures }];
  } finally {
    await gateway.stop();
    await redis?.stop();
  }
}

/** The three that cost most, each the best of five measurements. */
function worstBodies(): Row[] {
  const [bind, wanted] = [compileBinder(SocialUsersRequestSchema), wantedOf(SocialUsersRequestSchema)];
  const rows = [...hostileBodies()].map(({ name, contentType, body }) => {
    const read = () => {
      const { json, form } = parseBody(body, { "content-type": contentType }, wanted);
      bind(requestObject(json), [form]);
    };
    return { name, ms: Math.min(...Array.from({ length: 5 }, () => processorMs(read))) };
  });
  const worst = rows.toSorted((a, b) => b.ms - a.ms).slice(0, 3);
  return worst.map(({ name, ms }, place) => ({
    name: `hostile-body-${place + 1}`,
    title: `1 MiB to read: ${name}`,
    figures: { "processor ms": ms },
  }));
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
