-- Up Migration

-- The ended sessions of a deleted account stay for an hour like all others: whoever finds the deletion done has to know which to announce.
alter table account.session drop constraint session_user_id_fkey;
