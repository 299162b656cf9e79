import { setImmediate } from "node:timers/promises";
import { ConnectError } from "@connectrpc/connect";
import type { Log } from "../platform/log.ts";
import { isConflict, isConnectionFailure, isLockTimeout, violatedUnique } from "../platform/postgres/failures.ts";
import { type Db, type Pool, transaction } from "../platform/postgres/pool.ts";
import { currentSpan, inSpan, type Span } from "../platform/tracing/span.ts";
import type { Asserted } from "./domain/subjects.ts";
import { type AnsweredRequest, insertAnswered } from "./store/requests.ts";
import type { ProfileRow, StatusRow } from "./store/rows.ts";
import { insertStatuses, type PlainStatus } from "./store/statuses/insert-statuses.ts";
import type { WriteQueue } from "./write-queue.ts";

/** A status to publish, and the request for it. */
export interface Publication<T> {
  status: PlainStatus;
  request: Omit<AnsweredRequest, "answered">;
  /** Makes the answer for a published row, and its encoding. */
  answerOf(row: ProfileRow & StatusRow): { given: Asserted<T>; stored: Asserted<Uint8Array> };
}

/** Publishes statuses of different authors in one transaction (docs/decisions/cost-of-a-publication.md). */
export interface Publications {
  /**
   * Publishes a status together with those that arrive meanwhile, and stores the request with its answer. At most one of an
   * author at a time. Undefined when nothing was done: the request's id is used, the author's row is locked by another write, or
   * the status must be refused. A write of its own then finds out which.
   */
  publish<T>(publication: Publication<T>): Promise<Asserted<T> | undefined>;
}

/** A publication that waits for its batch, without the type of its answer. */
interface Waiting {
  publication: Publication<unknown>;
  span: Span | undefined;
  resolve(answer: Asserted<unknown> | undefined): void;
  reject(error: unknown): void;
}

/**
 * @param runPlaced bounds how many transactions of writes run at once
 * @param isCluster there the authors are on several shards, and one transaction would wait for all of them
 */
export function createPublications(
  pool: Pool,
  runPlaced: WriteQueue["runPlaced"],
  isCluster: () => Promise<boolean>,
  log: Log,
): Publications {
  const waiting: Waiting[] = [];
  let isRunning = false;

  /** One batch at a time: all that arrive during its commit are the next batch, and the larger it is the less each costs. */
  async function runBatches(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    try {
      // What was read from the network at this moment comes along.
      await setImmediate();
      while (waiting.length > 0) await runBatch(waiting.splice(0, maxSize));
    } finally {
      isRunning = false;
    }
  }

  /** Never rejects. */
  async function runBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      const answers = await inSpan(batch[0]?.span, () => runPlaced((lockMs) => publishAll(pool, batch, lockMs)));
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index]);
    } catch (error) {
      if (isConnectionFailure(error) || error instanceof ConnectError) {
        for (const { reject } of batch) reject(error);
        return;
      }
      // An error of one is an error of the whole batch, so each is tried alone.
      for (const { resolve } of batch) resolve(undefined);
      const isExpected = isConflict(error) || isLockTimeout(error) || violatedUnique(error) !== undefined;
      if (!isExpected) log.warn({ err: error }, "publications are tried one by one");
    }
  }

  return {
    async publish<T>(publication: Publication<T>) {
      if (await isCluster()) return undefined;
      return new Promise<Asserted<T> | undefined>((resolve, reject) => {
        waiting.push({ publication, span: currentSpan(), resolve, reject } as Waiting);
        void runBatches();
      });
    },
  };
}

/** The answers in the order of the batch; undefined where nothing was done. */
async function publishAll(pool: Pool, batch: readonly Waiting[], lockTimeoutMs: number) {
  const publish = async (db: Db) => {
    const rows = await insertStatuses(
      db,
      batch.map(({ publication }) => publication.status),
    );
    const byAuthor = new Map(rows.map((row) => [row.user_id, row]));
    const answers = batch.map(({ publication }) => {
      const row = byAuthor.get(publication.status.authorId);
      return row && { ...publication.answerOf(row), request: publication.request };
    });
    const requests = answers.flatMap((answer) => (answer ? [{ ...answer.request, answered: answer.stored }] : []));
    if (requests.length > 0) await insertAnswered(db, requests);
    return answers.map((answer) => answer?.given);
  };
  return transaction(pool, publish, lockTimeoutMs);
}

/** The most publications in one batch; more would save little. */
const maxSize = 32;
