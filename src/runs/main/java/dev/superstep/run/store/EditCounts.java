package dev.superstep.run.store;

import dev.superstep.engine.run.BirthId;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.TaskKey;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
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
  public record Keyed(BirthId birthId, int edits, int era) {

    /// @param generation grows with every answer to the task
    public String idempotencyKey(TaskKey task, int generation) {
      return birthId.idempotencyKey(task, generation + edits, era);
    }
  }

  /// @param counts by committed superstep; those of the first era without edits are absent
  public record EditKeys(BirthId birthId, Map<Integer, Keyed> counts) {

    public Keyed behind(int superstep) {
      return counts.getOrDefault(superstep, new Keyed(birthId, 0, 1));
    }
  }

  public EditKeys of(String run) {
    var birthId =
        jdbc.sql("select birth_id from run where id = ?")
            .param(run)
            .query((row, _) -> BirthId.of(run, row.getObject(1, UUID.class)))
            .optional()
            .orElseGet(() -> BirthId.ofRun(run));
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
          counts.put(row.getInt(1), new Keyed(birthId, row.getInt(2), Lease.era(row.getLong(3))));
        });
    return new EditKeys(birthId, counts);
  }
}
