-- Tasks that somebody else runs: a row is inserted in the write that records that its node waits for it (E52). Releases
-- before know nothing of them, and leave their runs alone.
create table task (
  id              text collate "C" primary key,
  run             text collate "C" not null references run (id) on delete cascade,
  graph           text collate "C" not null,
  superstep       integer          not null,
  node            text collate "C" not null,
  dispatch_id     text collate "C",
  number          integer          not null,
  wakes_below     integer          not null,
  type            text collate "C" not null,
  attempt         integer          not null,
  idempotency_key text collate "C" not null,
  payload         bytea            not null,
  start_ms        bigint,
  end_ms          bigint,
  heartbeat_ms    bigint           not null,
  state           text collate "C" not null default 'queued',
  queued_at       timestamptz      not null default clock_timestamp(),
  start_until     timestamptz,
  claims          integer          not null default 0,
  token           uuid,
  worker          text collate "C",
  claimed_at      timestamptz,
  lease_until     timestamptz,
  end_until       timestamptz,
  progress        bytea,
  outcome         bytea,
  answer          integer,
  ended_at        timestamptz,
  constraint task_state check (state in ('queued', 'claimed', 'done', 'withdrawn'))
) with (
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 200,
  autovacuum_vacuum_cost_delay = 0
);

-- The queues. No index has a column that a heartbeat changes.
create index task_queued on task (tenant_of(id), type, graph, queued_at, id) where state = 'queued';
create index task_claimed on task (tenant_of(id), type, graph) where state = 'claimed';
-- Those that wait for a worker no longer than this.
create index task_start_until on task (start_until) where state = 'queued' and start_until is not null;
-- What a driver reads, and what is still out.
create index task_run on task (run, superstep, answer);
-- What can go.
create index task_ended on task (ended_at) where state in ('done', 'withdrawn');

comment on table task is 'Tasks of runs that workers execute.';
comment on column task.number is 'How often the task of the run was queued, from 1: with it, the id is another one.';
comment on column task.wakes_below is 'Its success wakes the run when so many of its node are out.';
comment on column task.claims is 'How many workers have had it.';
comment on column task.token is 'Of its last worker. A heartbeat and an outcome under another one change nothing.';
comment on column task.end_until is 'The time-out of the node, from the claim.';
comment on column task.answer is 'Number of the outcome among the answers of the run.';
