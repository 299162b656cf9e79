-- Up Migration

-- The words by which statuses are found (docs/decisions/searches.md). One row for each word of a status, so that the newest statuses
-- with a word are read in order, however many have it. The words are made by our own code: rows from before have none until
-- `npm run reindex` has run.
create table social.status_word (
  word text collate "C" not null,
  id bigint not null,
  author_id bigint not null,
  primary key (word, id, author_id)
);

-- The same words once more, so that a statement finds what to delete, and those that have all words of a query; null for reposts. And the
-- number of the rules by which they were made; null for none.
alter table social.status add column words text[], add column search_rules smallint;

-- By which beginnings of words of their names users are found, in the order of their screen names.
create table social.name_prefix (
  prefix text collate "C" not null,
  name_key text collate "C" not null,
  user_id bigint not null,
  primary key (prefix, name_key, user_id)
);
create index name_prefix_user on social.name_prefix (user_id);
alter table social.profile add column search_rules smallint;

-- The rules by which all rows are made at least; 0 for none.
create table social.search_state (
  only_row boolean primary key default true check (only_row),
  rules smallint not null
);
-- Not `select from`: a cluster cannot pass on rows without columns.
insert into social.search_state (rules) select case when exists (select 1 from social.profile) then 0 else 1 end;
