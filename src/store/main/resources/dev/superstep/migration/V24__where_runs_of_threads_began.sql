-- Where the runs that were there before have begun, as far as it is known: a fork from its source, any
-- other run after the one before it. A migration of its own, so that nothing waits for it but calls
-- about the same runs; those that are driven meanwhile are left to their drivers.
update run set from_run = coalesce(run.parent_run, known.run),
               from_checkpoint = coalesce(run.parent_checkpoint, known.checkpoint)
  from (select id, lag(id) over thread as run, lag(checkpoint) over thread as checkpoint
          from run where thread_id is not null and turn is not null
        window thread as (partition by thread_id order by turn)) as known
 where run.id = known.id and run.owner is null
   and coalesce(run.parent_run, known.run) is not null;
