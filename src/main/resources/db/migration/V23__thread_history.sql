-- Where the runs of a thread begin: with it, the checkpoints of all of them are one history.
alter table run add column from_run text collate "C";
alter table run add column from_checkpoint integer;
comment on column run.from_run is
  'With from_checkpoint: of its thread, from whose state it has begun, or is to. May have been deleted.';
-- As far as it is known: a fork comes from its source, any other run from the one before it. The row
-- of a run that is driven meanwhile is left to its driver, which would have to wait for this.
update run set from_run = coalesce(run.parent_run, known.run),
               from_checkpoint = coalesce(run.parent_checkpoint, known.checkpoint)
  from (select id, lag(id) over thread as run, lag(checkpoint) over thread as checkpoint
          from run where thread_id is not null and turn is not null
        window thread as (partition by thread_id order by turn)) as known
 where run.id = known.id and run.owner is null
   and coalesce(run.parent_run, known.run) is not null;
