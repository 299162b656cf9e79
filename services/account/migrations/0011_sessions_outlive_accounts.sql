-- Up Migration

-- The ended sessions of a deleted account stay for an hour like all others: whoever finds the deletion done has to know which to announce.
-- Both locked at once, in the order of every write, since processes of the version before may be running.
lock table account.account, account.session in access exclusive mode;
alter table account.session drop constraint session_user_id_fkey;
