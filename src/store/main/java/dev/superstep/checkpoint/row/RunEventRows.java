package dev.superstep.checkpoint.row;

import java.util.List;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

/// Reads the events of runs that no checkpoint holds: those of API calls and claims.
interface RunEventRows extends Repository<RunEventEntity, RunEventEntity.EventKey> {
  @Query(
      """
      select e from RunEventEntity e
       where e.key.run = :run and e.key.seq > :after and e.key.seq <= :until
       order by e.key.seq
      """)
  List<RunEventEntity> list(String run, long after, long until, Limit limit);
}
