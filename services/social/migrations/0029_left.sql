-- Up Migration

-- When the user last ceased to follow somebody, or muted somebody: when that statement began. What was in the home may be gone.
alter table social.profile add column left_at timestamptz;
