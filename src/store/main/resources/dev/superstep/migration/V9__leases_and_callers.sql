-- By which lease a replica is judged: its own. Rows of releases that do not write it have none:
-- each judges those by its own, as it did before.
alter table scheduled_duties add column lease_ms bigint;
comment on column scheduled_duties.lease_ms is
  'Of a replica: it is dead when its heartbeat is older. Without meaning for duties.';

-- Who has started a run: a digest of the API key, as it is logged; '' without keys, and for runs of
-- before. Runs that tasks begin have that of their parent.
alter table run add column caller text collate "C" not null default '';

-- Since when a run that gave its slot away waits for another; null: since it was created.
alter table run add column queued_at timestamptz;

-- Whose turn it is: the callers that have queued runs, the graphs of each, the next run of a graph.
-- The index run_queued stays for replicas of the release before.
create index run_queued_by_caller
    on run (caller, graph, priority desc, coalesce(queued_at, created_at), id)
 where status = 'queued' and wakes_at is null;
