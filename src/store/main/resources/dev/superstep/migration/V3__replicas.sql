-- What keeps the cluster itself going: heartbeats of replicas and recurring duties. db-scheduler's
-- table again, apart from scheduled_tasks: a replica that is full stops asking for due runs, and
-- must go on with these.
create table scheduled_duties (
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
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 200,
  autovacuum_vacuum_cost_delay = 0
);
comment on table scheduled_duties is 'Replicas that are alive, and recurring duties.';

-- Replicas of before are not known under the new name; their runs are found by the reconciler.
delete from scheduled_tasks where task_name <> 'run-drive';

-- Runs for whose driver an API call of another replica has left something: an answer, a resolution,
-- a cancel. Written under the lock of the run's row, so that the replica named here is its owner;
-- what is left for an owner of before is of no use, for a claim reads everything.
create table news (
  replica text collate "C" not null,
  run     text collate "C" not null,
  primary key (replica, run)
) with (
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 200,
  autovacuum_vacuum_cost_delay = 0
);
comment on table news is 'Which drivers have to look for answers and cancels; emptied by their replicas.';

-- The next run of a graph that waits, where several graphs compete for room. status is part of an
-- index already, and a superstep does not change wakes_at.
create index run_queued on run (graph, priority desc, created_at, id)
  where status = 'queued' and wakes_at is null;
