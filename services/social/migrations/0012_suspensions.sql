-- Up Migration

-- Whether the operator keeps the user from being seen and from writing.
alter table social.profile add column suspended boolean not null default false;

-- Whether this repeats a status of a suspended author: then it is in no reply. On the repost, so that no timeline has to
-- look at the authors of what it repeats.
alter table social.status add column withheld boolean not null default false;

-- Who reposted an author.
create index status_reposters on social.status (repost_of_author_id, author_id) where repost_of_id is not null;
