-- Steps within tasks: each is recorded before its result is used (E53). Releases before know nothing of them; their rows
-- go with the run.
create table task_step (
  run         text collate "C" not null references run (id) on delete cascade,
  task        text collate "C" not null,
  ordinal     integer          not null,
  superstep   integer          not null,
  name        text collate "C" not null,
  kind        text collate "C" not null,
  attempt     uuid             not null,
  content     bytea,
  recorded_at timestamptz      not null,
  primary key (run, task, ordinal)
);

comment on table task_step is 'Steps within tasks, which are not made again.';
comment on column task_step.task is 'The idempotency key under which its steps are recorded.';
comment on column task_step.attempt is 'Of the node, as it names itself: no other one may record the step anew.';
comment on column task_step.content is 'How it ended; null: it may be made once only, and has begun.';
