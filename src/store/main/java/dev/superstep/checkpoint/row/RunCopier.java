package dev.superstep.checkpoint.row;

import dev.superstep.database.EntityColumns;
import jakarta.persistence.EntityManagerFactory;
import java.util.HashMap;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Copies the checkpoints, events and known calls of runs to runs with other ids, in the caller's
/// transaction.
@Component
public class RunCopier {
  private final JdbcClient jdbc;
  private final CallLineage calls;
  private final String checkpoints;
  private final String events;

  RunCopier(JdbcClient jdbc, CallLineage calls, EntityManagerFactory entities) {
    this.jdbc = jdbc;
    this.calls = calls;
    this.checkpoints =
        sql(EntityColumns.of(entities, CheckpointEntity.class), "number", "checkpoint");
    this.events = sql(EntityColumns.of(entities, RunEventEntity.class), "seq", "event_seq");
  }

  /// Rows up to the one that the head of the copy names: its driver may have written more since.
  private static String sql(EntityColumns columns, String number, String last) {
    var values = new HashMap<String, String>();
    columns.names().forEach(it -> values.put(it, "source." + it));
    values.put("run", "copy.id");
    return """
    %s
      from unnest(:runs::text[], :copies::text[]) as pair (run, copy)
      join %s as source on source.run = pair.run
      join run as copy on copy.id = pair.copy
     where source.%s <= copy.%s
    """
        .formatted(columns.insertSelect(values), columns.table(), number, last);
  }

  /// @param copies ids of runs that are stored already, in the order of `runs`
  public void copy(List<String> runs, List<String> copies) {
    for (var sql : List.of(checkpoints, events)) {
      jdbc.sql(sql)
          .param("runs", runs.toArray(String[]::new))
          .param("copies", copies.toArray(String[]::new))
          .update();
    }
    calls.copy(runs, copies);
  }
}
