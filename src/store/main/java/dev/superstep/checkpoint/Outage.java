package dev.superstep.checkpoint;

import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Distinguishes a database that does not answer, or refuses a statement for its own reasons, from
/// one that rejects the statement itself. After an outage the statement can be sent again.
public final class Outage {
  /// Broken connections; full disks, no memory, too many connections; cancelled statements,
  /// shut-down, crash, start-up; errors of the disk.
  private static final Set<String> CLASSES = Set.of("08", "53", "57", "58");

  /// Read-only servers, such as standbys; deadlock, serialization; locks that are not available.
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

  /// Errors of the server have a state; an error without one is the pool's: a broken connection.
  private static boolean isOutage(@Nullable String state) {
    return state == null
        || STATES.contains(state)
        || (state.length() == 5 && CLASSES.contains(state.substring(0, 2)));
  }
}
