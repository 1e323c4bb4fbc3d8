-- The calls of models that have limits, over all replicas. Releases before know nothing of them.
create table model_pace (
  model        text collate "C" primary key,
  turn         bigint           not null default 0,
  paused_until timestamptz,
  used         text             not null default '',
  call_ms      integer          not null default 1000
) with (fillfactor = 50);

create table model_call (
  model   text collate "C" not null,
  call    text collate "C" not null,
  tenant  text collate "C" not null,
  turn    bigint           not null,
  tokens  bigint           not null,
  runs    boolean          not null default false,
  until   timestamptz      not null,
  primary key (model, call)
);
create index model_call_turn on model_call (model, turn);

comment on table model_pace is 'What calls have taken of the allowance of a model that has limits. Its row is the lock of the model.';
comment on column model_pace.turn is 'Of the call that was let go last.';
comment on column model_pace.paused_until is 'The provider asked to be left alone until then.';
comment on column model_pace.used is 'Of the last minute: begin of a quarter of a second in ms, requests and tokens.';
comment on column model_pace.call_ms is 'How long a call takes, on average.';
comment on table model_call is 'Calls of models that wait for their turn, and those that are made under a limit of concurrency.';
comment on column model_call.call is 'The idempotency key of the task.';
comment on column model_call.until is 'One that waits asks again then; for one that is made, the end of its lease.';
