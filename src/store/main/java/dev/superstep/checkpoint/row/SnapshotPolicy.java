package dev.superstep.checkpoint.row;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.superstep.checkpoint.CorruptCheckpointException;
import dev.superstep.checkpoint.row.EncodedCheckpoint.ChainEnd;
import dev.superstep.database.HistoryChanged;
import dev.superstep.database.Pools;
import java.util.Objects;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Caches the replay cost and link of the last checkpoint of each run that is driven here, and
/// whether outcomes were recorded behind it, so that a commit need not read before it writes. A
/// miss costs one lookup; runs that are not driven any more are removed, for a full cache prefers
/// them to new ones. Loading a run for a driver replaces its entry: values of an earlier owner, or
/// of an earlier run of the same id, are never used.
@Component
class SnapshotPolicy {
  private static final int RUNS_MAX = 20_000;
  private final Cache<String, Known> known =
      Caffeine.newBuilder().executor(Runnable::run).maximumSize(RUNS_MAX).build();
  private final JdbcClient jdbc;

  /// Whether outcomes of tasks were recorded behind the last checkpoint.
  public enum Outcomes {
    NONE,
    PERHAPS
  }

  private record Known(int number, ChainEnd end, Outcomes outcomes) {}

  public SnapshotPolicy(@Qualifier(Pools.ENGINE) JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  @EventListener
  void forget(HistoryChanged changed) {
    known.invalidateAll();
  }

  public ChainEnd get(String run, int number) {
    var found = known.getIfPresent(run);
    return found != null && found.number() == number ? found.end() : read(jdbc, run, number);
  }

  /// Reads them within the transaction of `jdbc`.
  static ChainEnd read(JdbcClient jdbc, String run, int number) {
    return jdbc.sql(
            """
            select base, snapshot_bytes, delta_bytes, link
              from checkpoint
             where run = ? and number = ?
            """)
        .params(run, number)
        .query((row, _) ->
            new ChainEnd(
                new ReplayCost(
                    row.getInt("base"), row.getLong("snapshot_bytes"), row.getLong("delta_bytes")),
                row.getBytes("link")))
        .optional()
        .orElseThrow(() ->
            new CorruptCheckpointException("run '%s' has no checkpoint %d".formatted(run, number)));
  }

  public void put(String run, int number, ChainEnd end, Outcomes outcomes) {
    known.put(run, new Known(number, Objects.requireNonNull(end), outcomes));
  }

  /// The outcomes that the next superstep has to remove. None only if every write since the one
  /// before, or since the run's insert, was made here.
  public Outcomes outcomes(String run) {
    var found = known.getIfPresent(run);
    return found == null ? Outcomes.PERHAPS : found.outcomes();
  }

  /// Called before outcomes of the run are recorded, here or elsewhere.
  public void recording(String run) {
    known
        .asMap()
        .computeIfPresent(run, (_, old) -> new Known(old.number(), old.end(), Outcomes.PERHAPS));
  }

  public void drop(String run) {
    known.invalidate(run);
  }
}
