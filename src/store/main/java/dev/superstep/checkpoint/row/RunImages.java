package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.CorruptCheckpointException;
import dev.superstep.checkpoint.HeadCodec;
import dev.superstep.checkpoint.row.EncodedCheckpoint.ChainEnd;
import dev.superstep.database.Pools;
import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.LoadedRun;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.LeaseLostException;
import dev.superstep.engine.run.RunHead;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.engine.run.RunSignals;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.graph.Breakpoints;
import dev.superstep.graph.Graph;
import dev.superstep.graph.Limits;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Loads all that the driver of a claimed run needs (E47).
@Component
public class RunImages {
  private final JdbcClient jdbc;
  private final CheckpointLoader checkpointLoader;
  private final SignalReader signalReader;
  private final SnapshotPolicy snapshotPolicy;
  private final RestingCheckpoints resting;

  /// What [RunRow#of] reads of `run`, with its `checkpoint`, if it has one, and its `run_input`.
  public static final String COLUMNS =
      """
      run.checkpoint, run.released_through, run.status, run.superstep, run.error, run.breakpoint,
      run.wakes_at, run.passed_superstep, run.passed_after, run.passed_before, run.elapsed_ms,
      run_input.limits, run_input.breakpoints,
      checkpoint.committed_at, checkpoint.base, checkpoint.snapshot_bytes, checkpoint.delta_bytes,
      checkpoint.link,
      exists (select from recorded_task where recorded_task.run = run.id) as recorded\
      """;

  /// @param committedAt time of the checkpoint
  /// @param end the checkpoint as the next one is built on it
  /// @param recorded whether outcomes are recorded behind the checkpoint, or left from before
  public record RunRow(
      int checkpoint,
      Instant committedAt,
      ChainEnd end,
      boolean recorded,
      int releasedThrough,
      RunHead head,
      Limits limits,
      Optional<Breakpoints> breakpoints) {

    /// @return empty if the row has no checkpoint: a statement that has waited for the run's lock
    ///   sees no checkpoint that came meanwhile
    public static Optional<RunRow> of(ResultSet row) throws SQLException {
      var committedAt = row.getObject("committed_at", OffsetDateTime.class);
      if (committedAt == null) {
        return Optional.empty();
      }
      return Optional.of(
          new RunRow(
              row.getInt("checkpoint"),
              committedAt.toInstant(),
              new ChainEnd(
                  new ReplayCost(
                      row.getInt("base"),
                      row.getLong("snapshot_bytes"),
                      row.getLong("delta_bytes")),
                  row.getBytes("link")),
              row.getBoolean("recorded"),
              row.getInt("released_through"),
              head(row),
              limits(row),
              bytes(row, "breakpoints").map(HeadCodec::breakpoints)));
    }

    /// Those of the run, over those of its graph.
    public static Limits limits(ResultSet row) throws SQLException {
      return bytes(row, "limits").map(HeadCodec::limits).orElse(Limits.NONE);
    }

    private LoadedRun image(
        RunHeader run, Lease lease, Graph graph, Checkpoint last, RunSignals signals) {
      return new LoadedRun(
          run,
          lease,
          last,
          limits,
          breakpoints.orElse(graph.settings().breakpoints()),
          head,
          signals,
          releasedThrough);
    }

    private static RunHead head(ResultSet row) throws SQLException {
      return new RunHead(
          RunStatus.valueOf(row.getString("status").toUpperCase(Locale.ROOT)),
          row.getInt("superstep"),
          bytes(row, "error").map(HeadCodec::error),
          bytes(row, "breakpoint").map(HeadCodec::breakpoint),
          Optional.ofNullable(row.getObject("wakes_at", OffsetDateTime.class))
              .map(OffsetDateTime::toInstant),
          new RunHead.Passed(
              row.getInt("passed_superstep"),
              row.getBoolean("passed_after"),
              row.getBoolean("passed_before")),
          Duration.ofMillis(row.getLong("elapsed_ms")));
    }

    private static Optional<byte[]> bytes(ResultSet row, String column) throws SQLException {
      byte @Nullable [] bytes = row.getBytes(column);
      return Optional.ofNullable(bytes);
    }
  }

  RunImages(
      @Qualifier(Pools.ENGINE) JdbcClient jdbc,
      CheckpointLoader checkpointLoader,
      SignalReader signalReader,
      SnapshotPolicy snapshotPolicy,
      RestingCheckpoints resting) {
    this.jdbc = jdbc;
    this.checkpointLoader = checkpointLoader;
    this.signalReader = signalReader;
    this.snapshotPolicy = snapshotPolicy;
    this.resting = resting;
  }

  /// @param graph the run's version
  /// @throws LeaseLostException if another replica has claimed the run since
  public LoadedRun load(RunHeader run, Lease lease, Graph graph) {
    var runRow = runRow(lease);
    var checkpoint =
        resting(runRow, lease)
            .orElseGet(() -> checkpointLoader.read(run, runRow.checkpoint(), graph));
    keep(lease, runRow);
    return runRow.image(run, lease, graph, checkpoint, signalReader.read(lease, 0));
  }

  /// The image of a run that has stopped here to ask, without a look at the database.
  ///
  /// @param runRow as it was claimed
  /// @param signals all that it had when it was claimed
  /// @return empty: it is to be loaded
  public Optional<LoadedRun> resting(
      RunHeader run, Lease lease, Graph graph, RunRow runRow, RunSignals signals) {
    return resting(runRow, lease)
        .map(checkpoint -> {
          keep(lease, runRow);
          return runRow.image(run, lease, graph, checkpoint, signals);
        });
  }

  private void keep(Lease lease, RunRow runRow) {
    snapshotPolicy.put(
        lease.run(), runRow.checkpoint(), runRow.end(), SnapshotPolicy.Outcomes.PERHAPS);
  }

  private Optional<Checkpoint> resting(RunRow runRow, Lease lease) {
    return resting
        .take(lease, runRow.checkpoint(), runRow.committedAt())
        .filter(_ -> !runRow.recorded());
  }

  private RunRow runRow(Lease lease) {
    return jdbc.sql(
            """
            select %s
              from run
              left join checkpoint
                on checkpoint.run = run.id and checkpoint.number = run.checkpoint
              left join run_input on run_input.run = run.id
             where run.id = ? and run.lease_epoch = ?
            """
                .formatted(COLUMNS))
        .params(lease.run(), lease.epoch())
        .query((row, _) -> RunRow.of(row))
        .optional()
        .orElseThrow(() -> new LeaseLostException(lease))
        .orElseThrow(() ->
            new CorruptCheckpointException(
                "run '%s' does not have its last checkpoint".formatted(lease.run())));
  }
}
