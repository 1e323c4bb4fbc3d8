package dev.superstep.checkpoint;

import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Tells a database that does not answer, or threw a statement out for reasons of its own, from one
/// that says no.
final class Outage {
  /// Shut-down, crash, start-up; too many connections; deadlock, serialization.
  private static final Set<String> STATES =
      Set.of("57P01", "57P02", "57P03", "53300", "40001", "40P01");

  private Outage() {}

  static boolean caused(Throwable failure) {
    for (var cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLTransientException) {
        return true;
      }
      if (cause instanceof SQLException sql && isOutage(sql.getSQLState())) {
        return true;
      }
    }
    return false;
  }

  /// What a server says has a state; what has none is said by the pool, of a connection that broke.
  private static boolean isOutage(@Nullable String state) {
    return state == null || state.startsWith("08") || STATES.contains(state);
  }
}
