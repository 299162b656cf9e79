-- Up Migration

-- Of an imported profile the columns that were changed here: later imports leave them alone. Null for none.
alter table social.profile add column changed_here text[];
