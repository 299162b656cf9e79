import { fromBinary, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type ImportedStatus,
  ImportedStatusSchema,
  type ImportResult,
  type ImportStatusesRequestSchema,
} from "../../proto/gen/social/v1/import_service_pb.ts";
import { resultsOf } from "../call.ts";
import { batchesOf } from "./batches.ts";
import type { ImportContext } from "./results.ts";
import type { Slot } from "./status-spool.ts";

/** A status in the spool, ready to be sent. */
export interface SpooledStatus {
  slot: Slot;
  /** The author's user id here. */
  authorId: bigint;
  /** Its name in reports. */
  place(originId: string): string;
  /** Adds what is known only when all statuses were read. */
  complete?(status: ImportedStatus): void;
}

/**
 * Sends statuses batch by batch. A batch is sent while two earlier ones are under way, unless it depends on one of them: so the
 * tool, the service and Postgres work at the same time.
 * @param spooled in the order of time. Within some thousands of them those of one author are sent together
 * @param total about how many there are, for the progress.
 * @param request the other fields of every request.
 */
export async function sendSpooled(
  ctx: ImportContext,
  spooled: Iterable<SpooledStatus>,
  total: number,
  request: MessageInitShape<typeof ImportStatusesRequestSchema> = {},
): Promise<void> {
  let done = 0;
  const progress = () => ctx.report.progress({ phase: "statuses", done, share: Math.min(1, done / total) });
  const finish = async ({ batch, results }: SentBatch) => {
    for (const [index, result] of (await results).entries()) {
      const { place, originId } = batch[index] as OrderedStatus;
      ctx.results.record("status", place(originId), result);
    }
    done += batch.length;
    progress();
  };
  const send = (batch: readonly OrderedStatus[]): SentBatch => {
    const statuses = batch.map((one) => readStatus(ctx, one));
    const call = ctx.clients.imports.importStatuses({ origin: ctx.origin, ...request, statuses });
    const results = resultsOf("ImportStatuses", batch.length, call);
    // The batch may fail while an earlier one is awaited.
    results.catch(() => {});
    return { batch, results, keys: new Set(batch.flatMap(({ originId, moment }) => [originId, moment])) };
  };
  const underWay: SentBatch[] = [];
  try {
    for (const batch of batchesOf(groupsOf(ctx, spooled), ({ slot }) => slot.length + overhead)) {
      if (done === 0) progress();
      for (const earlier of underWay) if (dependsOn(batch, earlier)) await earlier.results;
      underWay.push(send(batch));
      if (underWay.length < maxUnderWay) continue;
      await finish(underWay[0] as SentBatch);
      underWay.shift();
    }
    for (const sent of underWay) await finish(sent);
  } finally {
    // Other batches are still under way when one has failed.
    await Promise.allSettled(underWay.map(({ results }) => results));
  }
}

/** Batches under way: the service has a second one while the tool makes the next. More would take more memory of both. */
const maxUnderWay = 3;

/** A batch that was sent, and its answer to come. */
interface SentBatch {
  batch: readonly OrderedStatus[];
  results: Promise<ImportResult[]>;
  /** The ids at the origin and the times of its statuses. */
  keys: ReadonlySet<string>;
}

/** A status with what decides when it is sent. It is read from the spool once more when it is: memory holds a batch of them, not a window. */
interface OrderedStatus extends SendOrder, SpooledStatus {
  /** The author and the second of the status. */
  moment: string;
}

// What is added to a status: the author's id and name, lengths and tags.
const overhead = 128;

function readStatus({ spool }: ImportContext, { slot, authorId, complete }: SpooledStatus): ImportedStatus {
  const status = fromBinary(ImportedStatusSchema, spool.read(slot));
  status.authorId = authorId;
  complete?.(status);
  return status;
}

/** The statuses of each window by author. */
function* groupsOf(ctx: ImportContext, spooled: Iterable<SpooledStatus>): Generator<OrderedStatus[]> {
  let window: OrderedStatus[] = [];
  for (const one of spooled) {
    const { originId, repostOfStatusOriginId, inReplyToStatusOriginId, status } = readStatus(ctx, one);
    const answers = repostOfStatusOriginId || inReplyToStatusOriginId;
    window.push({ ...one, originId, answers, moment: `${one.authorId} ${status?.createdAt}` });
    if (window.length < maxWindowItems) continue;
    yield* groupByAuthor(window);
    window = [];
  }
  yield* groupByAuthor(window);
}

/** More would make fewer authors in a batch, and take more memory. */
const maxWindowItems = 16_384;

/**
 * Whether a batch depends on an earlier one: it has a reply to one of its statuses, or a status of the same author and second, of which
 * the first one takes the id of that time.
 */
function dependsOn(batch: readonly OrderedStatus[], { keys }: SentBatch): boolean {
  return batch.some(({ answers, moment }) => keys.has(answers) || keys.has(moment));
}

/** The fields of a status that decide when it is sent. */
interface SendOrder {
  authorId: bigint;
  /** The id at the origin. */
  originId: string;
  /** The id at the origin of the status that it replies to, or that it reposts; "" without one. */
  answers: string;
}

/**
 * Groups statuses by author, so that a batch has few authors: each of them is locked and updated. Each author's
 * statuses stay in their order, and each one comes after the status of another author that it replies to, so that it finds it. Where
 * two authors reply to each other repeatedly, there is a group for each reply.
 * @param statuses in the order of time
 */
function groupByAuthor<T extends SendOrder>(statuses: Iterable<T>): T[][] {
  /** The groups of each round by author. A reply to another author comes in a later round than its target. */
  const rounds: Map<bigint, T[]>[] = [];
  const lastRounds = new Map<bigint, number>();
  const placed = new Map<string, { authorId: bigint; round: number }>();
  for (const status of statuses) {
    const { authorId, originId } = status;
    const target = placed.get(status.answers);
    const earliest = target !== undefined && target.authorId !== authorId ? target.round + 1 : 0;
    const round = Math.max(earliest, lastRounds.get(authorId) ?? 0);
    lastRounds.set(authorId, round);
    placed.set(originId, { authorId, round });
    const groups = (rounds[round] ??= new Map());
    const group = groups.get(authorId);
    if (group === undefined) groups.set(authorId, [status]);
    else group.push(status);
  }
  return rounds.flatMap((groups) => [...groups.values()]);
}
