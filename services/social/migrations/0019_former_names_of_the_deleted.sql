-- Up Migration

-- As screen_name: a rename just before the deletion may not have been announced yet.
alter table social.removed_profile add column former_name text;
