package dev.superstep.checkpoint.step;

import dev.superstep.checkpoint.Retries;
import dev.superstep.checkpoint.StepCodec;
import dev.superstep.checkpoint.StoreSettings;
import dev.superstep.checkpoint.Undisturbed;
import dev.superstep.database.Pools;
import dev.superstep.engine.checkpoint.StepRecord;
import dev.superstep.engine.checkpoint.StepRecord.StepKind;
import dev.superstep.engine.node.CheckpointStore.StepPage;
import dev.superstep.engine.node.CheckpointStore.StepWrite;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.LeaseLostException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// The recorded steps of tasks.
@Component
public class TaskSteps {
  /// The results of one page have about so many bytes.
  private static final long BYTES_MAX = 4_000_000;

  private static final String PAGE =
      """
      select ordinal, name, kind, attempt, content, left_out
        from (select ordinal, name, kind, attempt, content, sum(bytes) over placed - bytes as before,
                     count(*) over () - count(*) over placed as left_out
                from (select *, coalesce(octet_length(content), 0)::bigint as bytes
                        from task_step
                       where run = :run and task = :task and ordinal >= :from) as step
              window placed as (order by ordinal)) as sized
       where before < :bytes
       order by ordinal
      """;

  private final JdbcClient jdbc;
  private final StepWriter writer;
  private final Retries retries;

  TaskSteps(@Qualifier(Pools.ENGINE) JdbcClient jdbc, StepWriter writer, StoreSettings settings) {
    this.jdbc = jdbc;
    this.writer = writer;
    this.retries = new Retries(settings.patience());
  }

  /// @param attempt that has recorded it
  public record StoredStep(StepRecord record, UUID attempt) {}

  /// @param more whether there are more behind them
  public record StoredPage(List<StoredStep> steps, boolean more) {}

  /// What [CheckpointStore#steps] is.
  public StepPage read(Lease lease, String task, int from) {
    var page =
        Undisturbed.call(
            "steps",
            () -> retries.run(() -> description(lease), () -> read(jdbc, lease.run(), task, from)));
    return new StepPage(page.steps().stream().map(StoredStep::record).toList(), page.more());
  }

  /// What [CheckpointStore#record(Lease, StepWrite)] does. To write them twice is harmless.
  public boolean record(Lease lease, StepWrite steps) {
    var batch = new StepBatch(lease, steps);
    boolean written =
        Undisturbed.call(
            "steps", () -> retries.run(() -> description(lease), () -> writer.write(batch)));
    if (!written) {
      throw new LeaseLostException(lease);
    }
    return batch.isRecorded();
  }

  private static String description(Lease lease) {
    return "steps of run '%s'".formatted(lease.run());
  }

  /// @param task the idempotency key of its steps
  static StoredPage read(JdbcClient jdbc, String run, String task, int from) {
    var steps = new ArrayList<StoredStep>();
    var leftOut =
        jdbc.sql(PAGE)
            .param("run", run)
            .param("task", task)
            .param("from", from)
            .param("bytes", BYTES_MAX)
            .query((row, _) -> {
              steps.add(step(row));
              return row.getLong("left_out");
            })
            .list();
    return new StoredPage(steps, !leftOut.isEmpty() && leftOut.getLast() > 0);
  }

  private static StoredStep step(ResultSet row) throws SQLException {
    return new StoredStep(
        new StepRecord(
            row.getInt("ordinal"),
            row.getString("name"),
            StepKind.valueOf(row.getString("kind").toUpperCase(Locale.ROOT)),
            Optional.ofNullable(row.getBytes("content")).map(StepCodec::read)),
        row.getObject("attempt", UUID.class));
  }

  static String text(StepKind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }
}
