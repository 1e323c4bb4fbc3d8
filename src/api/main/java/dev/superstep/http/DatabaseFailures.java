package dev.superstep.http;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.transaction.CannotCreateTransactionException;

/// Distinguishes an unreachable or overloaded database from a wrong statement.
final class DatabaseFailures {
  private static final int DEPTH_MAX = 20;

  /// Classes of SQLSTATE: connection, rolled back by a conflict, out of resources, lock not
  /// available, shut down by the operator, errors of the disk.
  private static final Set<String> TRANSIENT = Set.of("08", "40", "53", "55", "57", "58");

  private static final String READ_ONLY = "25006";

  private DatabaseFailures() {}

  static boolean isAway(Throwable failure) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < DEPTH_MAX; depth++) {
      if (saysAway(cause)) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }

  /// Errors of the server have an SQL state. Those without come from the pool: the connection was
  /// closed under a transaction, which shows when that is rolled back.
  private static boolean saysAway(Throwable cause) {
    return switch (cause) {
      case CannotCreateTransactionException _ -> true;
      case DataAccessResourceFailureException _ -> true;
      case TransientDataAccessException _ -> true;
      case SQLTransientConnectionException _ -> true;
      case SQLException sql -> sql.getSQLState() == null || isTransient(sql.getSQLState());
      default -> false;
    };
  }

  private static boolean isTransient(String state) {
    return state.equals(READ_ONLY)
        || (state.length() >= 2 && TRANSIENT.contains(state.substring(0, 2)));
  }
}
