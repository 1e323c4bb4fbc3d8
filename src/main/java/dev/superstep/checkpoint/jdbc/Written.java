package dev.superstep.checkpoint.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;

/// The result of a driver's write.
///
/// @param at database time of the write
/// @param wake the run's wake number
/// @param driverWrites number of driver writes on the run, this one included
public record Written(Instant at, long wake, int priority, long driverWrites) {
  public static Written of(ResultSet row) throws SQLException {
    return new Written(
        row.getObject("at", OffsetDateTime.class).toInstant(),
        row.getLong("wake"),
        row.getInt("priority"),
        row.getLong("driver_writes"));
  }
}
