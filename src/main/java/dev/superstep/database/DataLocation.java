package dev.superstep.database;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.stereotype.Component;

/// Describes where this service keeps its data, for people.
@Component
public class DataLocation {
  // Optional beans: there is either a database of this service's own, or a server.
  private final ObjectProvider<DatabaseProperties> embedded;
  private final ObjectProvider<JdbcConnectionDetails> server;

  DataLocation(
      ObjectProvider<DatabaseProperties> embedded, ObjectProvider<JdbcConnectionDetails> server) {
    this.embedded = embedded;
    this.server = server;
  }

  /// A folder of the embedded PostgreSQL, or the address of a server. No credentials.
  public String description() {
    var properties = embedded.getIfAvailable();
    return properties != null
        ? "%s (embedded PostgreSQL; SPRING_DATASOURCE_URL names a server of your own)"
            .formatted(properties.dataDir().toAbsolutePath().normalize())
        : server.stream().findFirst().map(it -> address(it.getJdbcUrl())).orElse("");
  }

  /// Parameters of a URL may hold a password.
  private static String address(String url) {
    return url.replaceFirst("[?].*", "").replaceFirst("//[^@/]*@", "//");
  }
}
