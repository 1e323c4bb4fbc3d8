-- Wide supersteps: what one of them has cut its tasks into, while it is open. The rows live from the
-- moment a driver cuts until its barrier opens; what they have come to is in recorded_task.

-- The barrier of a wide superstep. Of a run there may be one of an older epoch besides: nobody can
-- write for it any more, and the next cut removes it.
create table wide_superstep (
  run         text collate "C" not null references run (id) on delete cascade,
  superstep   integer     not null,  -- the open one
  lease_epoch bigint      not null,  -- of the driver that cut it
  checkpoint  integer     not null,  -- it builds on: fences slices as it fences commits
  open        integer     not null,  -- slices that are not closed: the barrier counter
  taken       integer     not null default 0, -- slices that somebody is executing
  lanes       integer     not null,  -- most slices to be executed at a time
  quota       integer     not null,  -- most tasks of one slice at a time
  cut_at      timestamptz not null,
  primary key (run, superstep, lease_epoch)
) with (
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 200,
  autovacuum_vacuum_cost_delay = 0
);
comment on table wide_superstep is 'Supersteps that are being executed by several replicas.';

create table slice (
  run         text collate "C" not null,
  superstep   integer     not null,
  lease_epoch bigint      not null,
  number      integer     not null,  -- from 0
  claim       integer     not null default 0, -- + 1 whenever somebody takes it: fences zombies
  owner       text collate "C",      -- replica that executes it; null: nobody
  closed      boolean     not null default false,
  tasks       integer[]   not null,  -- indexes in the superstep as planned
  primary key (run, superstep, lease_epoch, number),
  foreign key (run, superstep, lease_epoch) references wide_superstep on delete cascade
) with (
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 200,
  autovacuum_vacuum_cost_delay = 0
);
comment on table slice is 'Parts of wide supersteps, to be taken by any replica.';
