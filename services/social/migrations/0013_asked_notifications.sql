-- Up Migration

-- Whether someone who asks to follow wants to be told of the user's statuses, once that is granted.
alter table social.follow_request add column notifications boolean not null default false;
