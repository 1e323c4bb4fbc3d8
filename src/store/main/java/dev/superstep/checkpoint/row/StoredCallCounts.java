package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.Retries;
import dev.superstep.checkpoint.StoreUnavailableException;
import dev.superstep.database.EntityColumns;
import dev.superstep.database.Pools;
import dev.superstep.definition.GraphName;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.node.tool.CallCounts;
import dev.superstep.node.tool.Tool;
import dev.superstep.node.tool.ToolCall;
import dev.superstep.node.tool.ToolPins;
import dev.superstep.secret.RunStarters;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import jakarta.persistence.EntityManagerFactory;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
import org.springframework.stereotype.Component;

/// In the database. Also compares tools with what is pinned to the versions of graphs, and says for
/// whom tools are called. Counts, before a call is made, so that parallel tasks and replicas
/// together make no more than the operator allows. A crash between counting and calling counts a
/// call that was not made, and so does a lost acknowledgement.
@Component
final class StoredCallCounts implements CallCounts, ToolPins, RunStarters {
  private static final String ROOT =
      "coalesce((select root from child_run where child = :run), :run)";

  /// A statement rather than an entity: it counts and compares at once, without a transaction.
  private static final String COUNT =
      """
          on conflict (run, tool) do update set calls = tool_call_count.calls + 1
       where tool_call_count.calls < :max
      """;

  /// The task has recorded the call before, so what is committed of its run is stored: the call
  /// belongs to the superstep behind that.
  private static final String BEGIN =
      """
      insert into made_call (run, call, tool, superstep, called_at)
      select run.id, :call, :tool, run.superstep + 1, clock_timestamp() from run where id = %s
          on conflict (run, call) do update
         set superstep = excluded.superstep, called_at = excluded.called_at, content = null,
             erred = false
      """
          .formatted(ROOT);

  private static final String END =
      "update made_call set content = :content, erred = :erred where call = :call and run = "
          + ROOT;

  private static final String MADE =
      """
      select made.run, made.called_at, made.content, made.erred
        from call_lineage as lineage
        join made_call as made
          on made.run = lineage.source and made.call = :call
         and made.superstep > lineage.superstep
       where lineage.run = %s
       order by made.called_at desc limit 1
      """
          .formatted(ROOT);

  /// The tool of a version from before there were pins, or of one that was posted while the server
  /// was away, is pinned by its first call.
  private static final String PINNED =
      """
      with first as (
        insert into tool_pin (graph, version, tool, fingerprint)
        values (:graph, :version, :tool, :fingerprint) on conflict do nothing)
      select fingerprint from tool_pin
       where graph = :graph and version = :version and tool = :tool
      """;

  private static final String STARTER =
      """
      with recursive lineage (run, depth) as (
        select id, 0 from run where id = :run
        union all
        select child_run.parent, lineage.depth + 1
          from lineage join child_run on child_run.child = lineage.run
      )
      select run.caller, (select array_agg(lineage.run order by lineage.depth) from lineage),
             exists (select from lineage join checkpoint on checkpoint.run = lineage.run
                      where checkpoint.kind = 'update')
             or exists (select from lineage join resolution as resolved
                                on resolved.run = lineage.run)
        from run where run.id = :run
      """;

  private final JdbcClient jdbc;
  private final Retries retries;
  private final String takeOfRun;
  private final String takeOfMessage;

  StoredCallCounts(
      @Qualifier(Pools.ENGINE) JdbcClient jdbc, EntityManagerFactory entities, Retries retries) {
    this.jdbc = jdbc;
    this.retries = retries;
    var columns = EntityColumns.of(entities, ToolCallCountEntity.class);
    this.takeOfRun = take(columns, ROOT);
    this.takeOfMessage = take(columns, ":run");
  }

  private static String take(EntityColumns columns, String run) {
    return columns.insertSelect(Map.of("run", run, "tool", ":counted", "calls", "1")) + COUNT;
  }

  @Override
  public boolean takeOfRun(String run, String tool, int max) throws InterruptedException {
    return count(takeOfRun, run, tool, max);
  }

  @Override
  public boolean takeOfMessage(String run, ToolCall toolCall, int max) throws InterruptedException {
    // No tool has a slash in its name.
    return count(takeOfMessage, run, toolCall.name() + "/" + toolCall.message(), max);
  }

  @Override
  public void begin(String run, ToolCall toolCall) throws InterruptedException {
    int _ = retried(run, () -> about(BEGIN, run, toolCall).param("tool", toolCall.name()).update());
  }

  @Override
  public void end(String run, ToolCall toolCall, String content, boolean erred)
      throws InterruptedException {
    int _ =
        retried(
            run,
            () ->
                about(END, run, toolCall)
                    .param("content", content.getBytes(StandardCharsets.UTF_8))
                    .param("erred", erred)
                    .update());
  }

  @Override
  public Optional<ObjectValue> madeElsewhere(String run, ToolCall toolCall)
      throws InterruptedException {
    return retried(run, () -> about(MADE, run, toolCall).query((row, _) -> made(row)).optional());
  }

  @Override
  public boolean isChanged(RunHeader run, Tool.Description tool) throws InterruptedException {
    if (!ToolPins.concern(tool)) {
      return false;
    }
    var fingerprint = ToolPins.fingerprint(tool);
    var pinned =
        retried(
            run.id(),
            () ->
                jdbc.sql(PINNED)
                    .param("graph", GraphName.of(run.graph()).definition())
                    .param("version", run.version())
                    .param("tool", tool.name())
                    .param("fingerprint", fingerprint)
                    .query(String.class)
                    .optional());
    return pinned.filter(it -> !it.equals(fingerprint)).isPresent();
  }

  @Override
  public Optional<RunStarter> starter(String run) throws InterruptedException {
    return retried(
        run,
        () ->
            jdbc.sql(STARTER)
                .param("run", run)
                .query((row, _) ->
                    new RunStarter(
                        row.getString(1),
                        List.of((String[]) row.getArray(2).getArray()),
                        row.getBoolean(3)))
                .optional());
  }

  private StatementSpec about(String sql, String run, ToolCall toolCall) {
    return jdbc.sql(sql).param("run", run).param("call", toolCall.digest());
  }

  private static ObjectValue made(ResultSet row) throws SQLException {
    var made =
        ObjectValue.of("run_id", Value.of(Tenant.shown(row.getString(1))))
            .plus(
                "called_at",
                Value.of(row.getObject(2, OffsetDateTime.class).toInstant().toString()));
    var content = row.getBytes(3);
    if (content != null) {
      made = made.plus("content", Value.of(new String(content, StandardCharsets.UTF_8)));
    }
    return row.getBoolean(4) ? made.plus("is_error", Value.TRUE) : made;
  }

  private boolean count(String sql, String run, String counted, int max)
      throws InterruptedException {
    return retried(
        run,
        () ->
            jdbc.sql(sql).param("run", run).param("counted", counted).param("max", max).update()
                == 1);
  }

  private <T> T retried(String run, Supplier<T> statement) throws InterruptedException {
    try {
      return retries.run(() -> "calls of run '%s'".formatted(run), statement);
    } catch (StoreUnavailableException e) {
      if (Thread.interrupted()) {
        throw (InterruptedException) new InterruptedException(e.getMessage()).initCause(e);
      }
      throw e;
    }
  }
}
