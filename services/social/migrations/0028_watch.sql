-- Up Migration

-- When something that readers may have seen was last deleted, or the user was suspended: when that statement began.
alter table social.profile add column removed_at timestamptz;
create index profile_removed on social.profile (removed_at) where removed_at is not null;

-- What was just published, by any author.
create index status_newest on social.status (id desc, author_id);
