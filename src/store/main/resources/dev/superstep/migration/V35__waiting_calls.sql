-- A call that finds its thread busy is decided when the thread is free. Until then its run waits,
-- with what the call is to do then. A replica of the release before that begins such a run refuses
-- it (`run_input.context`).
alter table run_input
  add column edit      bytea,  -- of an input: {replaces, removed}; null: it only adds
  add column continues bytea;  -- the call that goes on with the thread; null: it begins with input
