-- Up Migration

-- A deletion that finds the profile gone announces the name all the same; null for profiles that were deleted before this.
alter table social.removed_profile add column screen_name text;

-- The name under which an imported profile was known before its origin renamed it.
alter table social.profile add column former_name text;

-- The subjects whose state the answer asserts: [{"kind": "author", "screenName": "ann"}]. Null in rows from before this.
alter table social.request add column subjects jsonb;

-- Users whose reposts of an author's removed statuses were undone, until that has been announced. Whoever finishes the
-- deletion meanwhile announces them as well.
create table social.undone_repost (
  author_id bigint not null,
  id bigint generated always as identity,
  screen_name text not null,
  primary key (author_id, id)
);
