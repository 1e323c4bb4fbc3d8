-- What the ids of a run's children and questions, and the idempotency keys of its calls, derive from:
-- random, made by the statement that inserts the run. Runs without one keep deriving them from the
-- run's id: those that are there already, and those that are begun beside a replica of a release that
-- does not read the column, which may drive them.
alter table run add column birth_id uuid;
comment on column run.birth_id is
  'Random; never copied, chosen or shown. Null: the ids that others have of the run derive from its own.';

alter table scheduled_duties add column birth_ids boolean not null default false;
comment on column scheduled_duties.birth_ids is
  'Of a replica: it derives ids from run.birth_id. Without meaning for duties.';

create function every_replica_reads_birth_ids() returns boolean language sql stable as $$
  select not exists (select from scheduled_duties
                      where task_name = 'replica' and picked and not birth_ids)
$$;
