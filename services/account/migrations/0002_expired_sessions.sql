-- Up Migration

-- For the job that deletes sessions which have ended.
create index session_expiry on account.session (expires_at);
