/**
 * The select item `epoch`: what tells two states with the same versions apart. Besides the row, which an operator renews and
 * which a logical restore writes anew, it holds what is another one after every physical rollback by itself: a restored data
 * folder, a standby that took over and a point-in-time restore each have a postmaster that was started at another time; a
 * server that recovers from a crash of one of its processes, and may lose what was committed asynchronously, has its
 * statistics reset; a database that was copied from a template has another oid. Uncorrelated, so it is computed once for a
 * statement, and in the statement itself, since a pooler may give the next one another server.
 */
export const epochColumn = `
  (select hashtextextended(concat_ws(' ',
    (select concat_ws(' ', id, xmin) from social.epoch),
    extract(epoch from pg_postmaster_start_time()),
    extract(epoch from pg_stat_get_bgwriter_stat_reset_time()),
    (select oid from pg_database where datname = current_database())), 0)::text) as epoch`;

/** What a statement selects of it: 64 bits in digits. */
export interface EpochRow {
  epoch: string;
}
