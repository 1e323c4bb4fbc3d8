package dev.superstep.database;

import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Makes sure that a server without tenants starts on a database without: it would show everybody
/// what belongs to one of them.
final class NoTenants {
  /// By partial indexes, which are empty where nobody shares the server.
  private static final String OF_OTHERS =
      """
      select exists (select from run where strpos(id, '/') > 0)
          or exists (select from thread where strpos(id, '/') > 0)
          or exists (select from graph where strpos(name, '/') > 0)
          or exists (select from api_key where strpos(name, '/') > 0)
          or exists (select from memory_item where namespace >= '.' and namespace < '/')
      """;

  private static final String EMPTY = "select to_regclass('run') is null";

  /// @throws UnsuitableServerException if something belongs to another tenant than the default one
  NoTenants(DataSource owner) {
    var jdbc = JdbcClient.create(owner);
    if (!jdbc.sql(EMPTY).query(Boolean.class).single()
        && jdbc.sql(OF_OTHERS).query(Boolean.class).single()) {
      throw new UnsuitableServerException(
          "superstep.tenants.enabled is false, and the database has what belongs to tenants: every"
              + " key would see it.",
          "Set superstep.tenants.enabled to true, on all replicas.");
    }
  }
}
