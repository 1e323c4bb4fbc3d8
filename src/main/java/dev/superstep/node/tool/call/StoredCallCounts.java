package dev.superstep.node.tool.call;

import dev.superstep.checkpoint.StoreUnavailableException;
import dev.superstep.checkpoint.jdbc.Retries;
import dev.superstep.database.EntityColumns;
import dev.superstep.database.Pools;
import dev.superstep.node.tool.CallCounts;
import dev.superstep.node.tool.ToolCall;
import jakarta.persistence.EntityManagerFactory;
import java.util.Map;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Counts in the database, before a call is made, so that parallel tasks and replicas together make
/// no more than the operator allows. A crash between counting and calling counts a call that was
/// not made, and so does a lost acknowledgement.
@Component
final class StoredCallCounts implements CallCounts {
  private static final String ROOT =
      "coalesce((select root from child_run where child = :run), :run)";

  /// A statement rather than an entity: it counts and compares at once, without a transaction.
  private static final String COUNT =
      """
          on conflict (run, tool) do update set calls = tool_call_count.calls + 1
       where tool_call_count.calls < :max
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

  private boolean count(String sql, String run, String counted, int max)
      throws InterruptedException {
    try {
      return retries.run(
          () -> "count of the calls of run '%s'".formatted(run),
          () ->
              jdbc.sql(sql).param("run", run).param("counted", counted).param("max", max).update()
                  == 1);
    } catch (StoreUnavailableException e) {
      if (Thread.interrupted()) {
        throw (InterruptedException) new InterruptedException(e.getMessage()).initCause(e);
      }
      throw e;
    }
  }
}
