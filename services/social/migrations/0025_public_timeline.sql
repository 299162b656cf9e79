-- Up Migration

-- The statuses of the public timeline, newest first. The condition is that of store/statuses/list-statuses.ts.
create index status_public on social.status (id desc, author_id desc)
  where repost_of_id is null and in_reply_to_status_id is null
    and in_reply_to_user_id is null and in_reply_to_screen_name is null;
