-- Messages to runs (E49). Releases before know nothing of them: they do not take what waits for a run that they drive, and
-- do not read runs that have taken some. So messages are accepted once every replica reads them.
alter table scheduled_duties add column takes_messages boolean not null default false;
comment on column scheduled_duties.takes_messages is
  'Of a replica: it takes messages to the runs that it drives. Without meaning for duties.';

create table run_message (
  run        text collate "C" not null references run (id) on delete cascade,
  seq        integer          not null,
  id         text collate "C" not null,
  channel    text collate "C" not null,
  value      bytea            not null,
  said       text collate "C" not null,
  if_ended   text collate "C" not null,
  sender     text collate "C",
  sent_at    timestamptz      not null,
  checkpoint integer,
  superstep  integer,
  rejected   boolean          not null default false,
  next_run   text collate "C",
  primary key (run, seq),
  constraint run_message_id unique (run, id),
  constraint run_message_if_ended check (if_ended in ('reject', 'start'))
);

-- What a driver reads.
create index run_message_waiting on run_message (run, seq) where checkpoint is null and next_run is null;
-- What may have to begin another run.
create index run_message_starting on run_message (run) where if_ended = 'start' and checkpoint is null and next_run is null;

comment on table run_message is 'Messages to runs.';
comment on column run_message.seq is 'From 1, in the order in which they were accepted.';
comment on column run_message.value is 'What the channel is given; null in JSON once the history of the run is cut behind it.';
comment on column run_message.said is 'A hash of what the sender has said, by which a repetition is known; empty: it has no id of a sender.';
comment on column run_message.checkpoint is 'The one that has taken it; null: none has.';
comment on column run_message.rejected is 'It was taken, and its channel could not take its value.';
comment on column run_message.next_run is 'The run of the thread that begins with it, for this one ended without it.';

create function every_replica_takes_messages() returns boolean language sql stable as $$
  select not exists (select from scheduled_duties
                      where task_name = 'replica' and picked and not takes_messages)
$$;
