-- Up Migration

-- Readers ask for versions, and nothing is announced any more. So go the processes that announced, what had to be announced later, and the
-- names under which it was.
drop table social.announcer;
drop table social.undone_repost;
alter table social.request drop column subjects;
alter table social.profile drop column former_name;
drop index social.removed_profile_named;
alter table social.removed_profile drop column screen_name, drop column former_name;
