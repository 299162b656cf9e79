import type { SocialContext } from "../context.ts";
import { searchWords } from "../domain/search-words.ts";
import type { StatusKey } from "../domain/status-key.ts";
import { namePrefixes } from "../domain/user-query.ts";
import { write } from "../rpc/write.ts";
import { lockProfiles } from "../store/profiles/lock-profiles.ts";
import { replacePrefixes } from "../store/search/name-prefixes.ts";
import {
  listOldNames,
  listOldStatuses,
  listOldTexts,
  listUserIds,
  noteNames,
  noteRules,
  setWords,
} from "../store/search/reindex.ts";
import { deleteWords, insertWords } from "../store/search/status-words.ts";

/** What was made anew. */
export interface Reindexed {
  users: number;
  statuses: number;
}

type Context = Pick<SocialContext, "pool" | "writes">;

/**
 * Makes the words of all users and statuses that have none, or those of other rules, while the services run. In small transactions, so that
 * no author waits long. May be interrupted and repeated.
 * @param progress called after each batch of users
 */
export async function reindex(ctx: Context, progress: (done: Reindexed) => void = () => {}): Promise<Reindexed> {
  const done: Reindexed = { users: 0, statuses: 0 };
  for (let after = 0n; ; ) {
    const userIds = await listUserIds(ctx.pool, after, batch);
    const last = userIds.at(-1);
    if (last === undefined) break;
    after = last;
    done.users += await reindexUsers(ctx, userIds);
    done.statuses += await reindexStatuses(ctx, userIds);
    progress(done);
  }
  await noteRules(ctx.pool);
  return done;
}

/** Users, and statuses, of one step. */
const batch = 200;

async function reindexUsers(ctx: Context, userIds: readonly bigint[]): Promise<number> {
  const oldIds = (await listOldNames(ctx.pool, userIds)).map(({ userId }) => userId);
  if (oldIds.length === 0) return 0;
  return write(ctx, oldIds, async (db) => {
    await lockProfiles(db, oldIds);
    const users = await listOldNames(db, oldIds);
    const prefixed = users.map((user) => ({ ...user, prefixes: namePrefixes(user.name) }));
    await replacePrefixes(db, prefixed);
    await noteNames(
      db,
      users.map(({ userId }) => userId),
    );
    return users.length;
  });
}

async function reindexStatuses(ctx: Context, authorIds: readonly bigint[]): Promise<number> {
  let count = 0;
  for (let after: StatusKey = { authorId: 0n, id: 0n }; ; ) {
    const keys = await listOldStatuses(ctx.pool, authorIds, after, batch);
    const last = keys.at(-1);
    if (last === undefined) return count;
    after = last;
    count += await reindexKeys(ctx, keys);
  }
}

function reindexKeys(ctx: Context, keys: readonly StatusKey[]): Promise<number> {
  const authorIds = [...new Set(keys.map(({ authorId }) => authorId))];
  return write(ctx, authorIds, async (db) => {
    await lockProfiles(db, authorIds);
    const old = await listOldTexts(db, keys);
    if (old.length === 0) return 0;
    await deleteWords(
      db,
      old.map(({ words, ...key }) => ({ ...key, words: words ?? [] })),
    );
    const statuses = old.map(({ authorId, id, text }) => ({ authorId, id, words: searchWords(text) }));
    await insertWords(db, statuses);
    await setWords(db, statuses);
    return old.length;
  });
}
