/**
 * The select item `epoch`, which differs between two states with the same versions. The row changes when an operator renews it,
 * and after a logical restore. The rest changes by itself after a physical rollback: a restored data folder, a promoted standby
 * and a point-in-time restore each have another start time of the postmaster; a server that recovers from a crash of one of its
 * processes, and may lose what was committed asynchronously, has its statistics reset; a database that was copied from a template
 * has another oid. Uncorrelated, so that it is computed once in a statement; and part of each statement, since a pooler may give
 * the next one another server.
 */
export const epochColumn = `
  (select hashtextextended(concat_ws(' ',
    (select concat_ws(' ', id, xmin) from social.epoch),
    extract(epoch from pg_postmaster_start_time()),
    extract(epoch from pg_stat_get_bgwriter_stat_reset_time()),
    (select oid from pg_database where datname = current_database())), 0)::text) as epoch`;

/** 64 bits in digits, as a statement selects them. */
export interface EpochRow {
  epoch: string;
}
