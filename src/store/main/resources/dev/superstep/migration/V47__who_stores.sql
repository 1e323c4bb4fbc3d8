-- Who has written items of the memory, versions of assistants and descriptions of threads, for the bound on what an API
-- key may store. Rows from before, and those that release N-1 inserts, are nobody's.
alter table memory_item add column caller text collate "C";
alter table assistant_version add column caller text collate "C";
alter table thread add column described_by text collate "C";
comment on column memory_item.caller is 'Who has written it last; empty: a caller without a key; null: not known.';
comment on column assistant_version.caller is 'Who has made it; empty: a caller without a key; null: not known.';
comment on column thread.described_by is
  'Who has made or described it last by a call; empty: a caller without a key; null: nobody, or not known.';
