-- Calls that may be made once only, so that a run with another history does not repeat them unasked.
create table made_call (
  run       text collate "C" not null references run (id) on delete cascade,  -- the outermost
  call      text collate "C" not null,  -- digest of the tool and the arguments
  tool      text collate "C" not null,
  superstep integer          not null,  -- of that run
  called_at timestamptz      not null,  -- the last time, with
  content   bytea,                      -- the result, UTF-8; null: it is not known
  erred     boolean          not null default false,
  primary key (run, call)
);
comment on table made_call is 'Calls of at-most-once tools by runs and by those that they have begun.';

-- Without a foreign key for the source: it may be erased, and then its calls are not known any more.
create table call_lineage (
  run       text collate "C" not null references run (id) on delete cascade,
  source    text collate "C" not null,
  superstep integer          not null,  -- what the source has called behind it is no history of the run
  primary key (run, source)
);
comment on table call_lineage is 'Runs whose calls a run may repeat, since it was forked or copied from them.';
