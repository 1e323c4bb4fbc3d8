-- Threads that were copied before this had a counter behind the highest ordinal of their runs, and a
-- run that was answered or resumed has a turn far above its ordinal: the next runs of such a copy got
-- turns below that, and were in no state. The counter is behind all of them from now on.
update thread set runs = behind.next
  from (select thread_id, max(greatest(ordinal, turn)) + 1 as next
          from run where thread_id is not null and turn is not null group by thread_id) as behind
 where thread.id = behind.thread_id and thread.runs < behind.next;
