-- Where the runs of a thread begin: with it, the checkpoints of all of them are one history.
alter table run add column from_run text collate "C";
alter table run add column from_checkpoint integer;
comment on column run.from_run is
  'With from_checkpoint: of its thread, from whose state it has begun, or is to. May have been deleted.';
