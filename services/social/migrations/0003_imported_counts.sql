-- Up Migration

-- What the origin last said, so that a later import moves a counter by what changed there and keeps what happened here.
-- Followers, friends, favourites, statuses.
alter table social.profile add column imported_counts integer[];
alter table social.status add column imported_retweet_count integer;
