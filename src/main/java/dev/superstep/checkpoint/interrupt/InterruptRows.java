package dev.superstep.checkpoint.interrupt;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

/// Reads interrupts.
interface InterruptRows extends Repository<InterruptEntity, String> {
  Optional<InterruptEntity> findById(String id);

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
      """
      select i from InterruptEntity i
       where (:any = true or i.run in :runs)
         and (:graph is null or i.graph = :graph)
         and (:status is null or i.status = :status)
       order by i.createdAt desc, i.id desc
      """)
  List<InterruptEntity> newest(
      boolean any, Set<String> runs, @Nullable String graph, @Nullable String status, Limit limit);

  @Query(
      """
      select i from InterruptEntity i
       where (:any = true or i.run in :runs)
         and (:graph is null or i.graph = :graph)
         and (:status is null or i.status = :status)
         and (i.createdAt < :at or i.createdAt = :at and i.id < :id)
       order by i.createdAt desc, i.id desc
      """)
  List<InterruptEntity> behind(
      boolean any,
      Set<String> runs,
      @Nullable String graph,
      @Nullable String status,
      Instant at,
      String id,
      Limit limit);
}
