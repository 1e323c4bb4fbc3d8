-- How often a run, together with the runs that it has begun, has called tools whose calls the operator limits.
create table tool_call_count (
  run   text collate "C" not null references run (id) on delete cascade,  -- the outermost
  tool  text collate "C" not null,
  calls integer          not null,
  primary key (run, tool)
);
comment on table tool_call_count is 'Calls of tools with a limit for each run.';
