-- Threads as things: made before their first run, described by metadata, found by it.
alter table thread add column metadata text collate "C" not null default '{}';
alter table thread add column kept boolean not null default false;
alter table thread add column described_at timestamptz;
comment on column thread.metadata is
  'An object, canonical JSON as clients gave it. Not jsonb, which would write 1e300 out.';
comment on column thread.kept is
  'A call has made or described it: it stays when its last run is erased.';
comment on column thread.described_at is 'When its metadata was changed last; null: never.';
-- The threads that runs make have no metadata, and cost nothing here.
create index thread_metadata on thread using gin ((metadata::jsonb) jsonb_path_ops)
  where metadata <> '{}';
