-- Up Migration

-- For the job that forgets the names of deleted users: a name is needed only while tokens of it may be left.
create index removed_profile_named on social.removed_profile (removed_at) where screen_name is not null;
