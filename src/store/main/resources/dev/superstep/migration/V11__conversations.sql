-- Conversations that never get stuck: what a thread goes on from, and runs that wait for it.

-- 'enqueued' is a run that waits until its thread is free. It has no checkpoint, because the state
-- from which it starts is not known yet, and it is neither claimed nor counted as the active run of
-- its thread: every query that lists statuses passes it over.
alter table run drop constraint run_status_check;
alter table run add constraint run_status_check
  check (status in ('enqueued', 'queued', 'running', 'waiting', 'interrupted', 'failed',
                    'cancelling', 'succeeded', 'cancelled'));

-- The run with the highest turn is the one whose newest checkpoint is the state of the thread. Null:
-- the run is in no thread, has not begun, or was rolled back.
alter table run add column turn bigint;
update run set turn = ordinal where thread_id is not null;
create index run_thread_turn on run (thread_id, turn desc) where turn is not null;
create index run_enqueued on run (thread_id, ordinal) where status = 'enqueued';

comment on column thread.runs is
  'Turns taken so far: the ordinal of the next run, and its turn. Never falls.';
create index thread_created on thread (created_at desc, id desc);
