-- Runs as clients of the LangGraph Agent Server count them: one for each call. A call that answers a
-- question goes on with a run that is there; to these clients it is another run.
create table langgraph_run (
  id          text collate "C" primary key,
  run         text collate "C" not null references run (id) on delete cascade,
  thread      text collate "C",                -- null: a run without one
  after_seq   bigint      not null default 0,  -- its events are behind this one of the run
  after_checkpoint integer not null default -1,  -- and its checkpoints behind this one
  assistant   text        not null,            -- as the call named it
  metadata    text        not null default '{}',
  kwargs      text        not null default '{}',
  strategy    text        not null default 'reject',
  nothing     boolean     not null default false,  -- there was nothing to go on with
  created_at  timestamptz not null default clock_timestamp()
);
comment on table langgraph_run is 'Calls of clients of the LangGraph Agent Server, and where in which run they begin.';
create index langgraph_run_run on langgraph_run (run, after_seq);
create index langgraph_run_thread on langgraph_run (thread, created_at desc) where thread is not null;
