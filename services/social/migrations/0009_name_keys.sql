-- Up Migration

-- Screen names are ASCII: in the collation "C" their lower case is the same in every database. Of names that another
-- collation took for different ones, the one in lower case has the key, else that of the oldest user; the others keep
-- their spelling as their key, as in the account service.
alter table social.screen_name drop constraint screen_name_pkey;

update social.screen_name as held set name_key = case place when 1 then key else spelling end
from (
  select
    name_key as old_key, screen_name as spelling, lower(screen_name collate "C") as key,
    row_number() over (
      partition by lower(screen_name collate "C")
      order by screen_name = lower(screen_name collate "C") desc, user_id
    ) as place
  from social.screen_name join social.profile using (user_id)
) as ranked
where held.name_key = ranked.old_key and held.name_key <> case place when 1 then key else spelling end;

alter table social.screen_name
  alter column name_key type text collate "C",
  add constraint screen_name_pkey primary key (name_key);
