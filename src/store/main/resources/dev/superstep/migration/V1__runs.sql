-- Everything the service keeps about runs. Graph versions have a migration of their own.
-- Ids are text because clients may give them; collation "C" compares bytes, which is fast and the
-- same on every server. No identity columns. JSON is bytea in canonical form (never jsonb, which
-- would change it), except run_input.metadata, which is searched.

-- A conversation: runs that start from the state of the one before.
create table thread (
  id         text collate "C" primary key,
  runs       bigint      not null default 0, -- started so far = ordinal of the next run; never falls
  created_at timestamptz not null default now()
);
comment on table thread is
  'A conversation. Locked while a run is started in it, which gives the run its ordinal.';

-- The head of a run: the only row that every superstep updates. It is narrow, and no column that a
-- superstep or a claim changes is indexed, so that those updates stay on their page (HOT).
create table run (
  id                  text collate "C" primary key,
  graph               text collate "C" not null,
  version             integer     not null,
  status              text collate "C" not null
    check (status in ('queued', 'running', 'waiting', 'interrupted', 'failed', 'cancelling',
                      'succeeded', 'cancelled')),
  superstep           integer     not null default 0,
  checkpoint          integer     not null default 0,  -- number of the last one
  event_seq           bigint      not null default 0,  -- seq of the last stored event
  lease_epoch         bigint      not null default 0,  -- + 1 at every claim: the fence
  owner               text collate "C",                -- replica that drives it; null: nobody
  takeovers           smallint    not null default 0,  -- in succession, nothing committed in between
  driver_writes       bigint      not null default 0,  -- + 1 at each write of a driver: finds a lost acknowledgement
  wake                bigint      not null default 0,  -- + 1 whenever the run becomes runnable
  answers             integer     not null default 0,  -- answers and resolutions committed so far
  released_through    integer     not null default -1, -- failures in checkpoints up to this one may rerun
  cancel_requested_at timestamptz,
  wakes_at            timestamptz,
  elapsed_ms          bigint      not null default 0,
  passed_superstep    integer     not null default -1, -- behind which breakpoints were passed
  passed_after        boolean     not null default false,
  passed_before       boolean     not null default false,
  breakpoint          bytea,                           -- {when, nodes}
  error               bytea,                           -- {code, message, …}
  priority            smallint    not null default 0,
  durability          text collate "C" not null default 'sync'
    check (durability in ('sync', 'async', 'exit')),
  thread_id           text collate "C" references thread (id),
  ordinal             bigint      not null default 0,  -- place in the thread, from 0
  parent_run          text collate "C",                -- forked from; may have been deleted
  parent_checkpoint   integer,
  created_at          timestamptz not null default now(),
  started_at          timestamptz,
  finished_at         timestamptz
) with (
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 200,
  autovacuum_vacuum_cost_delay = 0
);
comment on table run is 'The head of a run: where it stands, who drives it, what is asked of it.';

-- A second active run on a thread is refused (thread_busy), whatever path makes it active.
create unique index run_thread_busy on run (thread_id)
  where status in ('queued', 'running', 'waiting', 'interrupted', 'cancelling');
create index run_created on run (created_at desc, id desc);
create index run_graph_created on run (graph, created_at desc, id desc);
create index run_status_created on run (status, created_at desc, id desc);
create index run_thread_ordinal on run (thread_id, ordinal desc) where thread_id is not null;

-- What was asked of a run: wide, written once, apart from limits, which a resume may raise.
create table run_input (
  run          text collate "C" primary key references run (id) on delete cascade,
  input        bytea not null,
  context      bytea,                       -- prompt context of the request
  limits       bytea,
  breakpoints  bytea,                       -- {before, after}; null: those of the graph
  metadata     jsonb not null default '{}', -- {key: string}
  request_hash bytea                        -- of the body, for a repeated request with a given id
);
comment on table run_input is 'What was asked of a run; kept apart so that the head stays narrow.';
create index run_input_metadata on run_input using gin (metadata jsonb_path_ops);

-- One row per commit of a run, inserted, never updated. content is a delta (E45). Without a foreign
-- key: a row is only ever inserted by the statement that has just updated the run, and the check
-- would be paid at every superstep. Deleting a run deletes these first.
create table checkpoint (
  run            text collate "C" not null,
  number         integer     not null,  -- from 0, gap-free; the parent is the one before
  kind           text collate "C" not null
    check (kind in ('input', 'step', 'held', 'final', 'update', 'fork')),
  superstep      integer     not null,
  version        integer     not null,  -- of the graph
  lease_epoch    bigint      not null,  -- that wrote it; an API call writes the one it found
  base           integer     not null,  -- nearest checkpoint with a snapshot; itself, if it has one
  delta_bytes    bigint      not null,  -- of contents since that snapshot
  snapshot_bytes integer     not null,  -- size of that snapshot
  first_event    bigint      not null,  -- seq of its first event; last_event + 1 if it has none
  last_event     bigint      not null,
  committed_at   timestamptz not null,
  state_hash     bytea       not null,
  content        bytea       not null,  -- task records, edit, opaque results, pending activations, …
  events         bytea       not null,  -- of this commit, in order
  snapshot       bytea,                 -- all of state, prompt context and what is held
  primary key (run, number)
);
comment on table checkpoint is
  'What each commit of a run changed, and now and then a snapshot of everything.';

-- Stored events that no checkpoint carries: of API calls, claims, recorded outcomes and commits of
-- the head alone. seq comes from run.event_seq while the run is locked: with the events in
-- checkpoints it is gap-free from 1.
create table run_event (
  run         text collate "C" not null references run (id) on delete cascade,
  seq         bigint      not null,
  type        text collate "C" not null,
  superstep   integer,
  node        text collate "C",
  dispatch_id text,
  data        bytea       not null,
  at          timestamptz not null,
  primary key (run, seq)
);
comment on table run_event is 'Stored events of a run that are not part of a checkpoint.';

-- Outcomes recorded while siblings are still open (E10.3). The commit that includes them removes
-- them: a row is always of the superstep after the run's last committed one.
create table recorded_task (
  run         text collate "C" not null references run (id) on delete cascade,
  superstep   integer     not null,
  task        text        not null,     -- node or node:dispatch
  generation  integer     not null,
  lease_epoch bigint      not null,     -- that wrote it
  content     bytea       not null,
  recorded_at timestamptz not null,
  primary key (run, superstep, task)
);
comment on table recorded_task is
  'Outcomes of tasks of the superstep that is open: a crash does not run those tasks again.';

-- A question to a person (E35). Its answer is kept here, so that it is committed at once, whatever
-- the run is doing.
create table interrupt (
  id             text collate "C" primary key,
  run            text collate "C" not null references run (id) on delete cascade,
  graph          text collate "C" not null,
  superstep      integer     not null,
  node           text collate "C" not null,
  dispatch_id    text,
  reason         text        not null,
  payload        bytea       not null,
  schema         bytea,                 -- JSON Schema of the answer
  status         text collate "C" not null
    check (status in ('open', 'answered', 'expired', 'cancelled')),
  created_at     timestamptz not null,
  expires_at     timestamptz,
  on_expiry      text collate "C" check (on_expiry in ('fail', 'answer')),
  default_answer bytea,
  answer         bytea,
  answer_key     text,                  -- idempotency key of the answer
  closed_at      timestamptz
);
comment on table interrupt is 'Questions that tasks asked, and their answers.';
create index interrupt_run on interrupt (run, superstep);
create index interrupt_created on interrupt (created_at desc, id desc);
create index interrupt_open on interrupt (graph, created_at desc, id desc) where status = 'open';

-- A failed task that a person declared done (E34).
create table resolution (
  run         text collate "C" not null references run (id) on delete cascade,
  superstep   integer     not null,
  task        text        not null,     -- node or node:dispatch
  node        text collate "C" not null,
  dispatch_id text,
  change      bytea       not null,
  created_at  timestamptz not null default now(),
  primary key (run, superstep, task)
);
comment on table resolution is 'Failed tasks that a person declared done, with the change that counts.';

-- First answers to calls with an Idempotency-Key.
create table idempotency_key (
  scope        text collate "C" primary key, -- hash of API key, method, path and idempotency key
  request_hash text collate "C" not null,    -- of the body
  status_code  smallint    not null,
  resource     text collate "C" not null,    -- what the call made or changed
  expires_at   timestamptz not null
);
comment on table idempotency_key is
  'What calls with an Idempotency-Key made, so that a repeated call makes nothing.';
create index idempotency_key_expires on idempotency_key (expires_at);

-- db-scheduler's table, as its release 16 expects it, but for the index on last_heartbeat: a
-- heartbeat must not touch an index.
create table scheduled_tasks (
  task_name            text        not null,
  task_instance        text        not null,
  task_data            bytea,
  execution_time       timestamptz not null,
  picked               boolean     not null,
  picked_by            text,
  last_success         timestamptz,
  last_failure         timestamptz,
  consecutive_failures integer,
  last_heartbeat       timestamptz,
  version              bigint      not null,
  priority             smallint,
  primary key (task_name, task_instance)
) with (
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 200,
  autovacuum_vacuum_cost_delay = 0
);
comment on table scheduled_tasks is 'Wake-ups, timers and replicas, run by db-scheduler.';
create index scheduled_tasks_due on scheduled_tasks (execution_time);
create index scheduled_tasks_priority on scheduled_tasks (priority desc, execution_time);
create index scheduled_tasks_picked on scheduled_tasks (task_name) where picked;
