-- What starts runs by itself. Releases before know nothing of it, and start nothing: while some of their replicas run, the
-- others do. A version of a graph that is posted through one of them declares no schedules, and ends those of the version before.
create table run_schedule (
  id         text collate "C" primary key,
  graph      text collate "C" not null,
  trigger    text collate "C",
  version    integer,
  cron       text             not null,
  zone       text             not null,
  jitter_ms  bigint           not null,
  overlap    text             not null,
  catch_up   text             not null,
  form       text             not null,
  request    text             not null,
  caller     text collate "C" not null,
  credential text             not null,
  reach_all  text[],
  reach_own  text[],
  paused     boolean          not null,
  ends_at    timestamptz,
  created_at timestamptz      not null,
  changed_at timestamptz      not null,
  next_at    timestamptz,
  due_at     timestamptz,
  constraint run_schedule_trigger unique (graph, trigger),
  constraint run_schedule_overlap check (overlap in ('skip', 'queue', 'cancel_old', 'allow')),
  constraint run_schedule_catch_up check (catch_up in ('none', 'last', 'all'))
);

create index run_schedule_due on run_schedule (due_at) where due_at is not null;

comment on table run_schedule is 'Starts of runs that are repeated.';
comment on column run_schedule.trigger is 'Its name in the definition of the graph; null: it was made by a call.';
comment on column run_schedule.version is 'That declares it; null: it was made by a call.';
comment on column run_schedule.form is 'In which API the request is written.';
comment on column run_schedule.request is 'The request to start a run, in JSON.';
comment on column run_schedule.caller is 'For whom the runs start; empty: there were no keys.';
comment on column run_schedule.credential is 'What that one has shown.';
comment on column run_schedule.reach_all is 'Graphs of which the caller reaches everything; null: it is not limited.';
comment on column run_schedule.reach_own is 'Graphs of which the caller reaches its own.';
comment on column run_schedule.next_at is 'The next time of its expression that nothing was decided on; null: there is none, or it is paused.';
comment on column run_schedule.due_at is 'When to look at it; null: never.';

create table run_schedule_start (
  schedule   text collate "C" not null references run_schedule (id) on delete cascade,
  planned_at timestamptz      not null,
  status     text             not null,
  run        text collate "C",
  reason     text,
  detail     text,
  decided_at timestamptz      not null,
  primary key (schedule, planned_at),
  constraint run_schedule_start_status check (status in ('waiting', 'started', 'missed'))
);

comment on table run_schedule_start is 'What became of the last times of schedules.';
comment on column run_schedule_start.reason is 'Why it was missed: outage, overlap, queue_full, paused or the code of an error.';

-- Webhooks that start runs. Releases before do not answer their addresses (404): senders try again. A version of a graph that is
-- posted through one of them has none, as that of the row is not the newest then.
create table inbound_hook (
  graph      text collate "C" not null,
  trigger    text collate "C" not null,
  version    integer          not null,
  scheme     text             not null,
  secret     text             not null,
  condition  text,
  input      text             not null,
  caller     text collate "C" not null,
  credential text             not null,
  reach_all  text[],
  reach_own  text[],
  changed_at timestamptz      not null,
  primary key (graph, trigger)
);

comment on table inbound_hook is 'Webhooks that the newest versions of graphs declare.';
comment on column inbound_hook.secret is 'Which secret of the operator; never the secret.';
comment on column inbound_hook.condition is 'An expression over body and headers: others start nothing; null: all start runs.';
comment on column inbound_hook.input is 'A template over body and headers, in JSON.';
comment on column inbound_hook.caller is 'For whom the runs start; empty: there were no keys.';
