-- Up Migration

-- As in the social service. A session that ends is deleted.
drop table account.announcer;
delete from account.session where ended_at is not null;
alter table account.session drop column ended_at;
