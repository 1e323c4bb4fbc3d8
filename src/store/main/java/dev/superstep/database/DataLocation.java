package dev.superstep.database;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.stereotype.Component;

/// Describes where this service keeps its data, for people.
@Component
public class DataLocation {
  // Optional beans. The settings of the embedded database are there even if it is not.
  private final ObjectProvider<DatabaseProperties> embedded;
  private final ObjectProvider<JdbcConnectionDetails> server;

  DataLocation(
      ObjectProvider<DatabaseProperties> embedded, ObjectProvider<JdbcConnectionDetails> server) {
    this.embedded = embedded;
    this.server = server;
  }

  /// A folder of the embedded PostgreSQL, or the address of a server. No credentials.
  public String description() {
    return server.stream().findFirst().map(this::description).orElse("");
  }

  private String description(JdbcConnectionDetails details) {
    return details instanceof EmbeddedDatabase
        ? "%s (embedded PostgreSQL; SPRING_DATASOURCE_URL names a server of your own)"
            .formatted(embedded.getObject().dataDir().toAbsolutePath().normalize())
        : address(details.getJdbcUrl());
  }

  /// Parameters of a URL may hold a password.
  private static String address(String url) {
    return url.replaceFirst("[?].*", "").replaceFirst("//[^@/]*@", "//");
  }
}
