package dev.superstep.checkpoint.row;

import java.util.List;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

/// Reads the outcomes of tasks in supersteps that are not committed.
interface RecordedTaskRows
    extends Repository<RecordedTaskEntity, RecordedTaskEntity.RecordedTaskKey> {
  @Query(
      "select t from RecordedTaskEntity t where t.key.run = :run and t.key.superstep = :superstep")
  List<RecordedTaskEntity> list(String run, int superstep);
}
