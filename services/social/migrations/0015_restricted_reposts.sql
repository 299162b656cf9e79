-- Up Migration

-- Whether this repeats a status of an author who is protected now: then only readers of that author are shown it. On the
-- repost, as withheld is.
alter table social.status add column restricted boolean not null default false;

-- The newest status that stands and is not restricted: what those are shown who may read no protected author.
alter table social.profile add column last_unrestricted_id bigint;

-- The content version at which the user's protection last changed, until all reposts of the user's statuses are marked; null
-- when they are.
alter table social.profile add column reposts_due bigint;
create index profile_reposts_due on social.profile (user_id) where reposts_due is not null;

update social.status set restricted = true
where repost_of_id is not null and repost_of_author_id in (select user_id from social.profile where protected);
update social.profile set last_unrestricted_id = (
    select id from social.status where author_id = user_id and not withheld and not restricted order by id desc limit 1),
  -- Cached pages and profiles may show such reposts.
  content_version = content_version + 1
where last_status_id is not null;
