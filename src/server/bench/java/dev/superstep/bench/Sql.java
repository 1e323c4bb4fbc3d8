package dev.superstep.bench;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/// What is asked of the database beside the workloads, on connections of its own.
record Sql(String url) {
  /// Schemas of an engine.
  private static final String OWN = "!~ '^(pg_|information_schema|bench$)'";

  Connection connect() throws SQLException {
    return DriverManager.getConnection(url);
  }

  void execute(String sql) throws SQLException {
    try (var connection = connect();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  long number(String sql) throws SQLException {
    return Long.parseLong(text(sql));
  }

  /// The first column of the first row.
  String text(String sql) throws SQLException {
    try (var connection = connect();
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      if (!rows.next()) {
        throw new SQLException("no row: " + sql);
      }
      return rows.getString(1);
    }
  }

  long walBytes() throws SQLException {
    return number("select (pg_current_wal_lsn() - '0/0'::pg_lsn)::bigint");
  }

  /// Tables with their indexes, the workloads' own left out.
  long tableBytes() throws SQLException {
    return number(
        """
        select coalesce(sum(pg_total_relation_size(oid)), 0)::bigint from pg_class
        where relkind = 'r' and relnamespace::regnamespace::text %s
        """
            .formatted(OWN));
  }

  /// Of all tables, counted.
  long rows() throws SQLException {
    var counts =
        text(
            """
            select string_agg(format('(select count(*) from %%I.%%I)', nspname, relname), '+')
            from pg_class join pg_namespace n on n.oid = relnamespace
            where relkind = 'r' and nspname %s
            """
                .formatted(OWN));
    return number("select " + counts);
  }

  /// The process that all servers of this database descend from; 0 if it runs elsewhere.
  long postmaster() throws SQLException {
    try (var connection = connect();
        var statement = connection.createStatement();
        var rows = statement.executeQuery("select pg_backend_pid()")) {
      // Its server lives as long as the connection.
      long parent = rows.next() ? Processes.parent(rows.getLong(1)) : 0;
      return isPostgres(parent) ? parent : 0;
    }
  }

  private static boolean isPostgres(long pid) {
    return Processes.lines("/proc/" + pid + "/comm").stream()
        .anyMatch(it -> it.contains("postgres"));
  }
}
