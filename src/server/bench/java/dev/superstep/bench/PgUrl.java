package dev.superstep.bench;

import java.util.regex.Pattern;

/// The parts of `jdbc:postgresql://host:port/database?user=…&password=…`.
record PgUrl(String host, String port, String database, String user, String password) {
  private static final Pattern URL =
      Pattern.compile("jdbc:postgresql://([^:/]+)(?::(\\d+))?/([^?]+)\\?(.*)");

  static PgUrl of(String url) {
    var match = URL.matcher(url);
    if (!match.matches()) {
      throw new IllegalArgumentException(
          "a datasource must look like jdbc:postgresql://host:port/database?user=…&password=…");
    }
    var port = match.group(2);
    return new PgUrl(
        match.group(1),
        port == null ? "5432" : port,
        match.group(3),
        parameter(match.group(4), "user"),
        parameter(match.group(4), "password"));
  }

  private static String parameter(String query, String name) {
    for (var pair : query.split("&")) {
      if (pair.startsWith(name + "=")) {
        return pair.substring(name.length() + 1);
      }
    }
    return "";
  }
}
