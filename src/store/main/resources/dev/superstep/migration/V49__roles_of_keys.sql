-- Roles that were given to a key. Keys of before have scopes, and a replica of before takes those alone: to it, a
-- key that has roles only may do nothing.
alter table api_key add column roles text not null default '';
-- The secret from before the last rotation, and until when it is taken, too.
alter table api_key add column previous_digest bytea;
alter table api_key add column previous_ends_at timestamptz;
alter table api_key add column rotated_by text collate "C";
comment on column api_key.roles is 'Separated by spaces: viewer, runner, answerer, author, operator, admin.';
comment on column api_key.scopes is 'Separated by spaces: read, run, answer, author, operate, admin. run includes answer, operate includes admin.';
