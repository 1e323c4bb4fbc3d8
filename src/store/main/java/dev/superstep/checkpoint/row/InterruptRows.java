package dev.superstep.checkpoint.row;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

/// Reads interrupts.
interface InterruptRows extends Repository<InterruptEntity, String> {
  Optional<InterruptEntity> findById(String id);

  @Query(
      """
      select new dev.superstep.checkpoint.row.InterruptRows$RowOfRun(
             i, r.origin.version, r.origin.caller)
        from InterruptEntity i join RunEntity r on r.id = i.run
       where i.id = :id
      """)
  Optional<RowOfRun> findWithRun(String id);

  record RowOfRun(InterruptEntity interrupt, int version, String caller) {}

  @Query(
      "select i from InterruptEntity i where i.run = :run order by i.superstep, i.createdAt, i.id")
  List<InterruptEntity> ofRun(String run);

  @Query(
      nativeQuery = true,
      value =
          """
          select * from interrupt
           where run = any(:runs) and status = 'open'
           order by superstep, created_at, id
          """)
  List<InterruptEntity> open(String[] runs);

  @Query(
      nativeQuery = true,
      value =
          """
          select * from interrupt where id = any(:ids)
          union all
          select * from interrupt
           where run = any(:runs) and id <> all(:ids) and created_at < :until
             and (closed_at is null or closed_at >= :at)
           order by created_at, id
          """)
  List<InterruptEntity> openAt(String[] ids, String[] runs, Instant at, Instant until);

  @Query(
      nativeQuery = true,
      value =
          """
          with recursive source as (
            select superstep + case kind when 'held' then 0 else 1 end as next
              from checkpoint
             where run = :run and number = :checkpoint
          ), below (run) as (
            select child from child_run, source where parent = :run and superstep >= next
            union all
            select child from child_run join below on child_run.parent = below.run
          )
          select interrupt.*
            from interrupt
           where (run = :run and superstep >= (select next from source)
                  or run in (select run from below))
             and (addressees is not null or assignee is not null)
           order by created_at, id
          """)
  List<InterruptEntity> behind(String run, int checkpoint);

  @Modifying
  @Query(
      """
      update InterruptEntity i
         set i.status = 'cancelled', i.closedAt = function('clock_timestamp' as Instant)
       where i.run = :run and i.status = 'open'
      """)
  int cancel(String run);
}
