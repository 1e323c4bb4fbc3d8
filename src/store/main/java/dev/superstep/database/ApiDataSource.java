package dev.superstep.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/// Opens the connections of API calls. The pool behind it waits a few seconds for a free
/// connection, as long as a caller should wait for a database that is away. While the database
/// answers, a call that finds all connections in use asks the pool again, for as long as all pools
/// wait.
final class ApiDataSource extends DelegatingDataSource {
  private final Duration waitMax;
  private final BooleanSupplier away;
  private final LongSupplier nanos;

  /// @param waitMax how long to wait for a free connection while the database answers
  /// @param away whether the database is known to be away
  ApiDataSource(DataSource pool, Duration waitMax, BooleanSupplier away, LongSupplier nanos) {
    super(pool);
    this.waitMax = waitMax;
    this.away = away;
    this.nanos = nanos;
  }

  @Override
  public Connection getConnection() throws SQLException {
    long begun = nanos.getAsLong();
    while (true) {
      try {
        return super.getConnection();
      } catch (SQLTransientConnectionException e) { // the pool's time is over
        if (away.getAsBoolean() || nanos.getAsLong() - begun >= waitMax.toNanos()) {
          throw e;
        }
      }
    }
  }
}
