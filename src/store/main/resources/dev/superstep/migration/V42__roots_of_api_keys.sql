-- From whose key or token a key comes: how many one may make counts by it, so that revoking a key in
-- between frees nothing. Null: its own root, as of all keys before.
alter table api_key add column root text;
