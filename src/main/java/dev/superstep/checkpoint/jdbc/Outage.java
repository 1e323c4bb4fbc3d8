package dev.superstep.checkpoint.jdbc;

import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Tells a database that does not answer, or refuses a statement for reasons of its own, from one
/// that says no to what the statement asks. The former goes by, and the statement can be sent
/// again.
public final class Outage {
  /// Broken connections; full disks, no memory, too many connections; cancelled statements,
  /// shut-down, crash, start-up; errors of the disk.
  private static final Set<String> CLASSES = Set.of("08", "53", "57", "58");

  /// A server that is read only, as a standby is; deadlock, serialization; a lock that is not free.
  private static final Set<String> STATES = Set.of("25006", "40001", "40P01", "55P03");

  private Outage() {}

  public static boolean caused(Throwable failure) {
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
    return state == null
        || STATES.contains(state)
        || (state.length() == 5 && CLASSES.contains(state.substring(0, 2)));
  }
}
