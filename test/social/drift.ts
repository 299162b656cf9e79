import type { Test } from "uvu";
import * as assert from "uvu/assert";
import { recount } from "../../cli/verify.ts";
import { loadConfig } from "../../services/social/config.ts";
import { createContext, type SocialContext } from "../../services/social/context.ts";
import { maintain } from "../../services/social/maintenance.ts";
import { type OpenTransaction, whileUncommitted } from "../support/open-transaction.ts";
import type { Person } from "../support/people.ts";
import type { TestServices } from "../support/services.ts";
import { useSharedServices } from "../support/shared-services.ts";
import type { TestDatabase } from "../support/test-database.ts";

/** Gives a suite shared services (useSharedServices), and checks after each of its tests that nothing drifted. */
export function useServicesWithoutDrift(tests: Test, started?: TestServices): TestServices {
  const services = useSharedServices(tests, started);
  tests.after.each(async () => assert.equal(await listDrift(services.database), []));
  return services;
}

/** Runs `work` with the context of another process on the same database. */
export async function withContext<T>(
  { database, log }: Pick<TestServices, "database" | "log">,
  work: (ctx: SocialContext) => Promise<T>,
): Promise<T> {
  const ctx = createContext(loadConfig({ SOCIAL_DATABASE_URL: database.social }), log);
  return work(ctx).finally(() => ctx.close());
}

/** Runs the maintenance of the social service once, as another process. */
export async function maintainOnce(services: Pick<TestServices, "database" | "log">): Promise<void> {
  await withContext(services, maintain);
}

/** What the service's own recount finds wrong. */
export async function listRecounted({ clients }: Pick<TestServices, "clients">): Promise<unknown[]> {
  const drifts: unknown[] = [];
  await recount(clients.verify, (drift) => drifts.push(drift));
  return drifts;
}

/** Wrong counters and references to missing rows, by SQL that is independent of the service's own recount. */
export function listDrift(database: TestDatabase): Promise<Record<string, unknown>[]> {
  return database.query(`
    with ${tables.map((table) => `${table} as not materialized (select * from social.${table})`).join(", ")}
    select 'profile' as what, user_id, null as id from profile where
      friends_count <> coalesce(imported_counts[2], 0) + (select count(*) from follow where follower_id = profile.user_id)
      or followers_count <> coalesce(imported_counts[1], 0)
        + (select count(*) from follow where follow.user_id = profile.user_id)
      or favourites_count <> coalesce(imported_counts[3], 0)
        + (select count(*) from favorite where favorite.user_id = profile.user_id)
      or statuses_count <> coalesce(imported_counts[4], 0)
        + (select count(*) from status where author_id = profile.user_id and (origin is null or import_job is not null))
      or last_status_id is distinct from (select max(id) from status where author_id = profile.user_id and not withheld)
      or last_unrestricted_id is distinct from (
        select max(id) from status where author_id = profile.user_id and not withheld and not restricted)
      or reposts_due is not null
    union all
    select 'status', author_id, id from status where retweet_count <> coalesce(imported_retweet_count, 0)
      + (select count(*) from status as repost
         where repost.repost_of_author_id = status.author_id and repost.repost_of_id = status.id and repost.origin is null)
    union all
    select 'favorite', user_id, status_id from favorite
    where not exists (select from status where status.author_id = favorite.author_id and id = status_id)
    union all
    select 'repost', author_id, id from status where repost_of_id is not null and not exists (
      select from status as original
      where original.author_id = status.repost_of_author_id and original.id = status.repost_of_id)
    union all
    select 'follow', follower_id, follow.user_id from follow
    where not exists (select from profile where profile.user_id = follow.user_id)
       or not exists (select from profile where profile.user_id = follower_id)
    union all
    select 'block', blocker_id, follow.user_id from block join follow
      on (follower_id = blocker_id and follow.user_id = block.user_id) or (follower_id = block.user_id and follow.user_id = blocker_id)
    union all
    select 'request across a block', blocker_id, asked.user_id from block join follow_request as asked
      on (follower_id = blocker_id and asked.user_id = block.user_id) or (follower_id = block.user_id and asked.user_id = blocker_id)
    union all
    select 'blocked', blocker_id, user_id from block
    where not exists (select from profile where profile.user_id = block.user_id)
       or not exists (select from profile where profile.user_id = blocker_id)
    union all
    (select 'blocked on one side', blocker_id, user_id from block
     except select 'blocked on one side', blocker_id, user_id from blocked)
    union all
    (select 'blocked on the other side', blocker_id, user_id from blocked
     except select 'blocked on the other side', blocker_id, user_id from block)
    union all
    select 'muted', muter_id, user_id from mute
    where not exists (select from profile where profile.user_id = mute.user_id)
       or not exists (select from profile where profile.user_id = muter_id)
    union all
    select 'withheld', author_id, id from status where withheld <> exists (
      select from profile where profile.user_id = status.repost_of_author_id and suspended)
    union all
    select 'restricted', author_id, id from status where restricted <> exists (
      select from profile where profile.user_id = status.repost_of_author_id and protected)
    union all
    select 'removed', author_id, id from removed_status`);
}

/** Each is read as a whole, since a cluster cannot join tables whose rows lie on different shards. */
const tables = "profile follow follow_request favorite status block blocked mute removed_status".split(" ");

/** Runs `work` while another transaction locks the profiles of these users. */
export async function whileLocked<T>(
  { database }: TestServices,
  userIds: readonly bigint[],
  work: (locked: OpenTransaction) => Promise<T>,
): Promise<T> {
  const lock = "select from social.lock_profiles($1)";
  return whileUncommitted(database.social, [[lock, [userIds]]], work);
}

/**
 * Adds copies of a user's newest status, with the ids that follow its own.
 * @param columns what else differs: SQL expressions by column, of the number `n` of the copy, from 1 on, and the status `base`
 */
export async function copyNewest(
  database: TestDatabase,
  { id }: Person,
  count: number,
  columns: Record<string, string>,
): Promise<void> {
  const changes = Object.entries({ id: "base.id + n", ...columns }).map(([name, value]) => `'${name}', ${value}`);
  await database.query(
    `insert into social.status
     select copy.* from (select * from social.status where author_id = $1 order by id desc limit 1) as base,
       generate_series(1, $2::int) as n,
       jsonb_populate_record(null::social.status, to_jsonb(base) || jsonb_build_object(${changes.join(", ")})) as copy`,
    [id, count],
  );
}
