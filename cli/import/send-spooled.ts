import { create, type MessageInitShape, type UnknownField } from "@bufbuild/protobuf";
import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import {
  ImportedStatusSchema,
  type ImportResult,
  ImportStatusesRequestSchema,
} from "../../proto/gen/social/v1/import_service_pb.ts";
import { StatusSchema } from "../../proto/gen/social/v1/statuses_pb.ts";
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
  /** Of a reply to a status of the same author, by the id at the origin: the encoded fields that say so. */
  ownAnswer?(answers: string): Uint8Array | undefined;
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
      const { place, originId } = batch[index] as ReadStatus;
      ctx.results.record("status", place(originId), result);
    }
    done += batch.length;
    progress();
  };
  const send = (batch: readonly ReadStatus[]): SentBatch => {
    const message = create(ImportStatusesRequestSchema, { origin: ctx.origin, ...request });
    // The statuses are encoded already: the message writes unknown fields unchanged.
    message.$unknown = [statusFields(batch)];
    const results = resultsOf("ImportStatuses", batch.length, ctx.clients.imports.importStatuses(message));
    // The batch may fail while an earlier one is awaited.
    results.catch(() => {});
    return { batch, results, keys: new Set(batch.flatMap(({ originId, moment }) => [originId, moment])) };
  };
  const underWay: SentBatch[] = [];
  try {
    for (const batch of batchesOf(groupsOf(ctx, spooled), ({ bytes }) => bytes.length + overhead)) {
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
  batch: readonly ReadStatus[];
  results: Promise<ImportResult[]>;
  /** The ids at the origin and the times of its statuses. */
  keys: ReadonlySet<string>;
}

interface ReadStatus extends SendOrder, Omit<SpooledStatus, "slot" | "ownAnswer"> {
  bytes: Uint8Array;
  /** The author and the second of the status. */
  moment: string;
}

// The author's id, the length and the tags around a status.
const overhead = 32;

/** The statuses of each window by author. A window is what is read at a time. */
function* groupsOf(ctx: ImportContext, spooled: Iterable<SpooledStatus>): Generator<ReadStatus[]> {
  let window: ReadStatus[] = [];
  let size = 0;
  for (const { slot, authorId, place, ownAnswer } of spooled) {
    const read = ctx.spool.read(slot);
    const { originId, answers, reposts, createdAt } = readHead(read);
    const more = answers === "" ? undefined : ownAnswer?.(answers);
    // Fields of a later part of an encoded message replace, or complete, those of an earlier one.
    const bytes = more === undefined ? read : Buffer.concat([read, more]);
    window.push({ authorId, place, originId, answers: reposts || answers, bytes, moment: `${authorId} ${createdAt}` });
    size += bytes.length;
    if (window.length < maxWindowItems && size < maxWindowBytes) continue;
    yield* groupByAuthor(window);
    [window, size] = [[], 0];
  }
  yield* groupByAuthor(window);
}

/** More would make fewer authors in a batch, and take more memory. */
const maxWindowItems = 16_384;
const maxWindowBytes = 8 * 1024 * 1024;

/**
 * Whether a batch depends on an earlier one: it has a reply to one of its statuses, or a status of the same author and second, of which
 * the first one takes the id of that time.
 */
function dependsOn(batch: readonly ReadStatus[], { keys }: SentBatch): boolean {
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

/** The fields of an encoded status that the tool needs to send it. */
interface StatusHead {
  /** The id at the origin. */
  originId: string;
  /** The id at the origin of the status that it replies to; "" without one. */
  answers: string;
  /** The id at the origin of the status that it reposts; "" without one. */
  reposts: string;
  /** As the origin writes it, to the second. */
  createdAt: string;
}

/** Reads the head of an encoded ImportedStatus. To decode all of it would take three times as long. */
function readHead(status: Uint8Array): StatusHead {
  const head = { originId: "", answers: "", reposts: "", createdAt: "" };
  for (const reader = new BinaryReader(status); reader.pos < reader.len; ) {
    const [number, wireType] = reader.tag();
    if (number === originId.number) head.originId = reader.string();
    else if (number === inReplyToStatusOriginId.number) head.answers = reader.string();
    else if (number === repostOfStatusOriginId.number) head.reposts = reader.string();
    else if (number === content.number) head.createdAt ||= readCreatedAt(reader.bytes());
    else reader.skip(wireType, number);
  }
  return head;
}

function readCreatedAt(status: Uint8Array): string {
  for (const reader = new BinaryReader(status); reader.pos < reader.len; ) {
    const [number, wireType] = reader.tag();
    if (number === StatusSchema.field.createdAt.number) return reader.string();
    reader.skip(wireType, number);
  }
  return "";
}

/** Encoded ImportedStatuses, each with its author's id here, as the fields of an ImportStatusesRequest. At least one. */
function statusFields(encoded: readonly { bytes: Uint8Array; authorId: bigint }[]): UnknownField {
  const writer = new BinaryWriter();
  const [no, wireType] = [statuses.number, WireType.LengthDelimited];
  for (const { bytes, authorId: author } of encoded) {
    writer.tag(no, wireType).fork().tag(authorId.number, WireType.Varint).int64(author).raw(bytes).join();
  }
  // The library writes the first tag itself.
  const data = writer.finish();
  const first = new BinaryReader(data);
  first.tag();
  return { no, wireType, data: data.subarray(first.pos) };
}

const {
  authorId,
  originId,
  status: content,
  inReplyToStatusOriginId,
  repostOfStatusOriginId,
} = ImportedStatusSchema.field;
const { statuses } = ImportStatusesRequestSchema.field;
