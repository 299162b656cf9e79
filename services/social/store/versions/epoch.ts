/**
 * The select item `epoch`, which differs between two states with the same versions. The row changes when an operator renews it,
 * and after a logical restore. The rest changes by itself after a physical rollback: a restored data folder, a promoted standby
 * and a point-in-time restore each have another start time of the postmaster; a server that recovers from a crash of one of its
 * processes, and may lose what was committed asynchronously, has its statistics reset; a database that was copied from a template
 * has another oid, which is part of every path of a table. Uncorrelated, so that it is computed once in a statement; and part of
 * each statement, since a pooler may give the next one another server. Without the tables of the catalog: a cluster would read
 * them on the coordinator, and the statement's tables one after the other, each in a snapshot of its own. So on a cluster it is
 * the epoch of the server that holds the row.
 */
export const epochColumn = `
  (select hashtextextended(concat_ws(' ',
    id,
    xmin,
    extract(epoch from pg_postmaster_start_time()),
    extract(epoch from pg_stat_get_bgwriter_stat_reset_time()),
    pg_relation_filepath('pg_catalog.pg_class')), 0)::text
  from social.epoch) as epoch`;

/** 64 bits in digits, as a statement selects them. */
export interface EpochRow {
  epoch: string;
}
