package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.Retries;
import dev.superstep.checkpoint.StoreSettings;
import dev.superstep.checkpoint.StoredObject;
import dev.superstep.checkpoint.TaskRecordCodec;
import dev.superstep.checkpoint.work.WideSuperstep;
import dev.superstep.database.Pools;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.BirthId;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.LeaseLostException;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.state.value.ObjectValue;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Reads what slices need, and their results.
@Component
public class SliceReader {
  private final JdbcClient jdbc;
  private final Retries retries;

  SliceReader(@Qualifier(Pools.ENGINE) JdbcClient jdbc, StoreSettings settings) {
    this.jdbc = jdbc;
    this.retries = new Retries(settings.patience());
  }

  /// @throws LeaseLostException if another replica has claimed the run since
  public RunHeader header(Lease lease) {
    return jdbc.sql(
            """
            select run.birth_id, run.graph, run.version, run.ordinal, run_input.metadata::text as metadata,
                   run_input.params, run_input.traceparent
              from run join run_input on run_input.run = run.id
             where run.id = ? and run.lease_epoch = ?
            """)
        .params(lease.run(), lease.epoch())
        .query((row, _) ->
            new RunHeader(
                lease.run(),
                BirthId.of(lease.run(), row.getObject("birth_id", UUID.class)),
                row.getString("graph"),
                row.getInt("version"),
                row.getLong("ordinal"),
                object(row.getString("metadata").getBytes(StandardCharsets.UTF_8)),
                object(row.getBytes("params")),
                Optional.ofNullable(row.getString("traceparent"))))
        .optional()
        .orElseThrow(() -> new LeaseLostException(lease));
  }

  private static ObjectValue object(byte @Nullable [] stored) {
    return stored != null && StoredObject.value(stored) instanceof ObjectValue object
        ? object
        : ObjectValue.empty();
  }

  /// The recorded outcomes of these tasks of one superstep. The first one ends a series of
  /// takeovers: something was recorded under this lease.
  public List<TaskRecord> recorded(WideSuperstep wide, List<TaskKey> tasks) {
    return retries.run(() -> "outcomes of " + wide, () -> read(wide, tasks));
  }

  private List<TaskRecord> read(WideSuperstep wide, List<TaskKey> tasks) {
    jdbc.sql("update run set takeovers = 0 where id = ? and lease_epoch = ? and takeovers > 0")
        .params(wide.run(), wide.lease().epoch())
        .update();
    return jdbc.sql(
            """
            select content from recorded_task
             where run = :run and superstep = :superstep and task = any(:tasks)
            """)
        .param("run", wide.run())
        .param("superstep", wide.superstep())
        .param("tasks", tasks.stream().map(TaskRecordCodec::key).toArray(String[]::new))
        .query((row, _) ->
            TaskRecordCodec.read(
                StoredObject.object(row.getBytes("content")).form("the outcome of a task").get("t"),
                wide.superstep()))
        .list();
  }
}
