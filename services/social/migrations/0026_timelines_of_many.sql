-- Up Migration

-- Who is mentioned where, for the timeline of mentions. Spread by the user who is mentioned. Reposts are no mentions.
create table social.mention (
  user_id bigint not null,
  status_id bigint not null,
  author_id bigint not null,
  primary key (user_id, status_id, author_id)
);

insert into social.mention (user_id, status_id, author_id)
select distinct (mentioned ->> 'id')::bigint, id, author_id
from social.status cross join jsonb_array_elements(entities -> 'userMentions') as mentioned
where repost_of_id is null and mentioned ->> 'id' <> '0';

-- What answers a status, oldest first.
create index status_replies on social.status (in_reply_to_user_id, in_reply_to_status_id, id, author_id)
  where in_reply_to_status_id is not null;

-- A user's favourites, the newest mark first.
create index favorite_newest on social.favorite (user_id, created_at desc, author_id desc, status_id desc);
