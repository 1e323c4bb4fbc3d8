package dev.superstep.database;

import dev.superstep.tenant.Tenant;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.function.Supplier;
import org.postgresql.PGConnection;

/// Gives out each connection of API calls with the rights of the tenant whose request the thread
/// answers, and with those of the owner of all tables to any other thread. What a connection has is
/// known, so that nothing is sent where it is right already; else it takes one statement.
final class TenantConnections {
  private static final String SET =
      "select set_config('role', ?, false), set_config('superstep.tenant', ?, false)";

  private static final String NO_ROLE = "none";

  /// Of the owner: a row of no tenant.
  private static final String OWNER = "";

  /// After a statement that may have been executed, or not.
  private static final String UNKNOWN = "?";

  private final Supplier<Optional<Tenant>> tenant;
  private final Supplier<RowSecurity> security;

  /// For whom a connection to the server is; one that has never been given out to a tenant has
  /// none, and is the owner's.
  private final Map<PGConnection, String> known = Collections.synchronizedMap(new WeakHashMap<>());

  /// @param tenant for which the thread works; empty: for none
  TenantConnections(Supplier<Optional<Tenant>> tenant, Supplier<RowSecurity> security) {
    this.tenant = tenant;
    this.security = security;
  }

  /// The same connection with the rights of whom the thread works for. If that fails, it is given
  /// back.
  Connection prepared(Connection connection) throws SQLException {
    try {
      prepare(connection);
      return connection;
    } catch (SQLException | RuntimeException e) {
      try (connection) {
        throw e;
      }
    }
  }

  private void prepare(Connection connection) throws SQLException {
    var session = connection.unwrap(PGConnection.class);
    var wanted = tenant.get().map(Tenant::name).orElse(OWNER);
    if (known.getOrDefault(session, OWNER).equals(wanted)) {
      return;
    }
    var role = wanted.equals(OWNER) ? NO_ROLE : security.get().role();
    known.put(session, UNKNOWN);
    try (var statement = connection.prepareStatement(SET)) {
      statement.setString(1, role);
      statement.setString(2, wanted);
      statement.execute();
    }
    if (!connection.getAutoCommit()) {
      connection.commit();
    }
    known.put(session, wanted);
  }
}
