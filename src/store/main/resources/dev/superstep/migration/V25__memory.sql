-- What agents remember across threads: JSON objects under a namespace and a key.
create table memory_item (
  namespace  text collate "C" not null,
  key        text collate "C" not null,
  value      text collate "C" not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  ttl_ms     bigint,
  expires_at timestamptz,
  primary key (namespace, key)
);
comment on column memory_item.namespace is 'Labels, joined by dots; none contains one.';
comment on column memory_item.value is
  'An object, canonical JSON as clients gave it. Not jsonb, which would write 1e300 out.';
comment on column memory_item.ttl_ms is 'How long it lives; null: for ever.';
comment on column memory_item.expires_at is 'From then on nobody finds it; null: never.';
create index memory_item_updated on memory_item (updated_at);
create index memory_item_expires on memory_item (expires_at) where expires_at is not null;
