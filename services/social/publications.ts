import { ConnectError } from "@connectrpc/connect";
import { batchCalls } from "../platform/batch-calls.ts";
import type { Log } from "../platform/log.ts";
import { isConflict, isConnectionFailure, isLockTimeout, violatedUnique } from "../platform/postgres/failures.ts";
import { type Db, type Pool, transaction } from "../platform/postgres/pool.ts";
import { type AnsweredRequest, insertAnswered } from "./store/requests.ts";
import type { ProfileRow, StatusRow } from "./store/rows.ts";
import { insertStatuses, type PlainStatus } from "./store/statuses/insert-status.ts";
import type { WriteQueue } from "./write-queue.ts";

/** A status to publish, and the request for it. */
export interface Publication<T> {
  status: PlainStatus;
  request: Omit<AnsweredRequest, "answer">;
  /** Makes the answer for a published row, and its encoding. */
  answerOf(row: ProfileRow & StatusRow): { given: T; stored: Uint8Array };
}

/** Publishes statuses of different authors in one transaction (docs/decisions/author-queues.md). */
export interface Publications {
  /**
   * Publishes a status in one batch with those that arrive meanwhile, and stores the request with its answer. An author may have only
   * one at a time. Resolves to undefined when nothing was done: the request's id is used, the author's row is locked by another write,
   * or the status must be refused. The caller then runs a write of its own, which finds out the reason.
   */
  publish<T>(publication: Publication<T>): Promise<T | undefined>;
}

/**
 * @param runInSlot bounds how many transactions of writes run at once
 * @param isCluster on a cluster the authors are on several shards, and one transaction would wait for all of them
 */
export function createPublications(
  pool: Pool,
  runInSlot: WriteQueue["runInSlot"],
  isCluster: () => Promise<boolean>,
  log: Log,
): Publications {
  const publishInBatch = batchCalls(publishBatch, { maxSize });

  async function publishBatch(batch: readonly Publication<unknown>[]) {
    try {
      return await runInSlot((lockMs) => publishAll(pool, batch, lockMs));
    } catch (error) {
      if (isConnectionFailure(error) || error instanceof ConnectError) throw error;
      // One publication can make the whole batch fail, so each is tried alone.
      const isExpected = isConflict(error) || isLockTimeout(error) || violatedUnique(error) !== undefined;
      if (!isExpected) log.warn({ err: error }, "publications are tried one by one");
      return batch.map(() => undefined);
    }
  }

  return {
    async publish<T>(publication: Publication<T>) {
      if (await isCluster()) return undefined;
      return publishInBatch(publication) as Promise<T | undefined>;
    },
  };
}

/** The answers in the order of the batch; undefined where nothing was done. */
async function publishAll(pool: Pool, batch: readonly Publication<unknown>[], lockTimeoutMs: number) {
  const publish = async (db: Db) => {
    const rows = await insertStatuses(
      db,
      batch.map(({ status }) => status),
    );
    const byAuthor = new Map(rows.map((row) => [row.user_id, row]));
    const answers = batch.map(({ status, request, answerOf }) => {
      const row = byAuthor.get(status.authorId);
      return row && { ...answerOf(row), request };
    });
    const requests = answers.flatMap((answer) => (answer ? [{ ...answer.request, answer: answer.stored }] : []));
    if (requests.length > 0) await insertAnswered(db, requests);
    return answers.map((answer) => answer?.given);
  };
  return transaction(pool, publish, lockTimeoutMs);
}

/** The most publications in one batch; more would save little. */
const maxSize = 32;
