package dev.superstep.run.store;

import dev.superstep.engine.run.Lease;
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

  /// What the keys of the superstep behind a committed one derive from.
  ///
  /// @param edits how often its state was edited
  /// @param era in which it was committed
  public record Keyed(int edits, int era) {
    public static final Keyed FIRST = new Keyed(0, 1);
  }

  /// By committed superstep; those of the first era without edits are absent.
  public Map<Integer, Keyed> of(String run) {
    var counts = new HashMap<Integer, Keyed>();
    jdbc.sql(
            """
            select superstep, count(*) filter (where kind = 'update'),
                   (array_agg(lease_epoch order by number) filter (where kind <> 'held'))[1]
              from checkpoint
             where run = :run
               and (kind = 'update'
                    or exists (select from database_era where era > 1))
             group by superstep
            """)
        .param("run", run)
        .query(row -> {
          counts.put(row.getInt(1), new Keyed(row.getInt(2), Lease.era(row.getLong(3))));
        });
    return counts;
  }
}
