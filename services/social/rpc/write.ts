import { setTimeout as sleep } from "node:timers/promises";
import { isConflict } from "../../platform/postgres/failures.ts";
import { type Db, transaction } from "../../platform/postgres/pool.ts";
import type { SocialContext } from "../context.ts";

/** What a write works with. */
export interface Write {
  /** Everything through it commits together or not at all. */
  db: Db;
  /**
   * Says that an author's own content or privacy has changed: publishing, deleting, reposting, the profile, its
   * protection. Counters that others move are not meant.
   */
  changed(author: { screen_name: string }): void;
}

/**
 * Runs a write in one transaction. When two were in each other's way the whole is done again, a few times, so `work` must
 * not remember anything of an attempt.
 * @throws Aborted when it was in the way every time, ResourceExhausted when too many writes wait
 */
export async function write<T>(ctx: SocialContext, work: (write: Write) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const changed = new Set<string>();
    try {
      const result = await ctx.writes.run(() =>
        transaction(ctx.pool, (db) =>
          work({ db, changed: ({ screen_name }) => changed.add(screen_name.toLowerCase()) }),
        ),
      );
      if (changed.size > 0) await ctx.freshness.announce(changed);
      return result;
    } catch (error) {
      if (!isConflict(error) || attempt === attempts) throw error;
      // Not in step with the other one, who may be trying again as well.
      await sleep(Math.random() * 20 * attempt);
    }
  }
}

const attempts = 6;
