package dev.superstep.run.query;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.MetadataFilter;
import java.time.Duration;
import java.util.function.Function;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Bounds the time in which the database compares lists for a search: what that costs multiplies
/// with all that is stored, not only with what is found.
final class ListComparison {
  static final Duration TIME_MAX = Duration.ofSeconds(2);

  /// Until the transaction ends, or it is set back.
  private static final String SET =
      """
      select current_setting('statement_timeout') as before,
             set_config('statement_timeout', :timeout, true)
      """;

  private final JdbcClient jdbc;

  ListComparison(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// When a search has to be over.
  interface SearchDeadline {
    /// To be called at each row: rows are fetched some at a time, each time within the timeout.
    void check();
  }

  /// Searches within a transaction.
  ///
  /// @throws ServiceException `limit_exceeded` if the search compares lists and takes too long
  <T> T within(MetadataFilter metadata, Function<SearchDeadline, T> search) {
    if (!metadata.hasLists()) {
      return search.apply(() -> {});
    }
    long deadline = System.nanoTime() + TIME_MAX.toNanos();
    var before = set(Long.toString(TIME_MAX.toMillis()));
    try {
      T found =
          search.apply(() -> {
            if (System.nanoTime() - deadline > 0) {
              throw tooLong();
            }
          });
      var _ = set(before);
      return found;
    } catch (QueryTimeoutException e) {
      var refused = tooLong();
      refused.addSuppressed(e);
      throw refused;
    }
  }

  private String set(String timeout) {
    return jdbc.sql(SET).param("timeout", timeout).query((row, _) -> row.getString(1)).single();
  }

  private static ServiceException tooLong() {
    return ServiceException.at(
        "/metadata",
        ErrorCode.LIMIT_EXCEEDED,
        "comparing lists with those of the threads takes more than %d s; search for fewer items, or name ids or members that fewer threads have"
            .formatted(TIME_MAX.toSeconds()));
  }
}
