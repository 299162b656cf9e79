-- Up Migration

-- Grows with every change of what the user sees of others: whom the user follows, has asked, blocks or mutes, and what the
-- user marked and reposted, also where another user made the change.
alter table social.profile add column viewer_version bigint not null default 1;

-- Whether the process announces viewers beside authors; processes from before this do not.
alter table social.announcer add column announces_viewers boolean not null default false;
