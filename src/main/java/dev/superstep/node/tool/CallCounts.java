package dev.superstep.node.tool;

import dev.superstep.database.Pools;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// How many calls of a tool a run, and all runs that it has begun, have made. Counted in the
/// database before a call is made, so that parallel tasks and replicas together make no more than
/// the operator allows. A crash between counting and calling counts a call that was not made.
@Component
final class CallCounts {
  private static final String TAKE =
      """
      insert into tool_call_count (run, tool, calls)
      select coalesce((select root from child_run where child = :run), :run), :tool, 1
          on conflict (run, tool) do update set calls = tool_call_count.calls + 1
       where tool_call_count.calls < :max
      """;
  private final JdbcClient jdbc;

  CallCounts(@Qualifier(Pools.ENGINE) JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// Counts one call more.
  ///
  /// @return whether it may be made; else nothing is counted
  boolean take(String run, String tool, int max) {
    return jdbc.sql(TAKE).param("run", run).param("tool", tool).param("max", max).update() == 1;
  }
}
