-- Up Migration

-- The import job that added a status, so that just this job can be undone.
alter table social.status add column import_job bytea;
create index status_import_job on social.status (author_id, import_job, id) where import_job is not null;
