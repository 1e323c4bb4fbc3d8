-- What is stored for each run, for the bound on what an API key may store. Summed now and then from
-- what was appended since, and only where a bound is set: nothing that drives a run writes here.
create table stored_size (
  run         text collate "C" primary key references run (id) on delete cascade,
  caller      text collate "C" not null,  -- as of the run
  created_at  timestamptz      not null,  -- as of the run
  checkpoints integer          not null,  -- those up to this number are in appended; -1: none
  events      bigint           not null,  -- those up to this seq are in appended
  appended    bigint           not null,  -- bytes of rows that are inserted and never changed
  other       bigint           not null,  -- bytes of questions, answers and open supersteps
  ended       boolean          not null   -- for good: does not change any more
) with (
  fillfactor = 80,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 200,
  autovacuum_vacuum_cost_delay = 0
);
comment on table stored_size is 'Bytes that are stored for each run, as of the last count.';
create index stored_size_created on stored_size (created_at);
create index stored_size_open on stored_size (run) where not ended;
