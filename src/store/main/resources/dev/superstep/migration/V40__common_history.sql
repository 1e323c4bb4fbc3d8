-- Up to where two histories of the database are the same: streams tell their clients which of the
-- events that they have got are no part of the history any more.
alter table database_era add column valid_through timestamptz;
comment on column database_era.valid_through is
  'When the last transaction of the history before was committed that this one has; null: not known.';
