-- Up Migration

alter table account.account
  -- Two user names that another collation took for different ones: the second one keeps its spelling as its key.
  add column name_is_exact boolean not null default false,
  -- What emailKey of domain/email.ts makes of the address; 0005 brings it to those that are here already.
  alter column email_key drop expression;

update account.account as held set name_is_exact = true
from (
  -- The one in small letters first: its spelling is the key itself. Then the oldest.
  select user_id, row_number() over (
    partition by lower(user_name collate "C")
    order by user_name = lower(user_name collate "C") desc, user_id
  ) as place
  from account.account
) as ranked
where held.user_id = ranked.user_id and ranked.place > 1;

-- User names are ASCII: in the collation "C" their small letters are the same in every database.
alter table account.account
  drop column name_key;
alter table account.account
  add column name_key text collate "C" not null
    generated always as (case when name_is_exact then user_name else lower(user_name collate "C") end) stored,
  add constraint account_name_key unique (name_key),
  alter column email_key type text collate "C",
  add constraint account_email_has_key check ((email is null) = (email_key is null));
