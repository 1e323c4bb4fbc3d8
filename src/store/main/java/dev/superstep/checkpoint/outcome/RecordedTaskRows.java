package dev.superstep.checkpoint.outcome;

import java.util.List;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

/// Reads the outcomes of tasks in supersteps that are not committed.
public interface RecordedTaskRows extends Repository<RecordedTaskEntity, RecordedTaskEntity.Key> {
  @Query(
      "select t from RecordedTaskEntity t where t.key.run = :run and t.key.superstep = :superstep")
  List<RecordedTaskEntity> list(String run, int superstep);
}
