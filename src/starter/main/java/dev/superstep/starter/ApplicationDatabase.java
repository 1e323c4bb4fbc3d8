package dev.superstep.starter;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

/// The database of the application, of which Superstep has a schema of its own.
///
/// @param schema where its tables are, and their migrations are noted
record ApplicationDatabase(JdbcConnectionDetails application, String schema)
    implements JdbcConnectionDetails {
  private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]{0,62}");
  private static final Pattern CURRENT = Pattern.compile("([?&])currentSchema=[^&]*");
  private static final String POSTGRESQL = "jdbc:postgresql:";

  ApplicationDatabase {
    if (!NAME.matcher(schema).matches()) {
      throw new IllegalStateException(
          "superstep.embedded.schema is '%s', which names no schema: write lower-case letters, digits and _"
              .formatted(schema));
    }
    if (!application.getJdbcUrl().startsWith(POSTGRESQL)) {
      throw new IllegalStateException(
          "Superstep needs PostgreSQL, and the application's database is another: "
              + application.getJdbcUrl().replaceFirst("(jdbc:\\w+:).*", "$1"));
    }
  }

  static ApplicationDatabase of(ListableBeanFactory application, String schema) {
    var details = application.getBeanProvider(JdbcConnectionDetails.class).getIfUnique();
    if (details == null) {
      throw new IllegalStateException(
          "Superstep finds no database: set spring.datasource.url, or declare a bean of type"
              + " JdbcConnectionDetails that says where it is");
    }
    return new ApplicationDatabase(details, schema);
  }

  @Override
  public @Nullable String getUsername() {
    return application.getUsername();
  }

  @Override
  public @Nullable String getPassword() {
    return application.getPassword();
  }

  @Override
  public String getJdbcUrl() {
    var url = application.getJdbcUrl();
    var current = "currentSchema=" + schema;
    var found = CURRENT.matcher(url);
    if (found.find()) {
      return found.replaceFirst("$1" + current);
    }
    return url + (url.contains("?") ? "&" : "?") + current;
  }
}
