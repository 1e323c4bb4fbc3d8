package dev.superstep.run.store;

import java.util.HashMap;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Counts the state edits behind each committed superstep: part of the idempotency keys of the
/// superstep that follows (E40).
@Component
public class EditCounts {
  private final JdbcClient jdbc;

  EditCounts(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// Committed superstep → edits; supersteps without are absent.
  public Map<Integer, Integer> of(String run) {
    var counts = new HashMap<Integer, Integer>();
    jdbc.sql(
            """
            select superstep, count(*) from checkpoint
             where run = ? and kind = 'update' group by superstep
            """)
        .param(run)
        .query(row -> {
          counts.put(row.getInt(1), row.getInt(2));
        });
    return counts;
  }
}
