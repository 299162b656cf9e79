-- Up Migration

-- The costs of stored hashes, for each sign-in; the same expression as in store/credentials.ts.
create index account_hash_cost on account.account ((split_part(password_hash, '$', 4) collate "C"))
  where password_hash is not null;
