package dev.superstep.bench;

import dev.superstep.bench.function.Texts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;

/// How many single-row INSERTs of 2 KB the database commits per second: the raw limit of everything
/// that commits once per superstep.
final class RawCommits {
  private static final int BYTES = 2048;
  private static final Pattern RATE = Pattern.compile("tps = ([0-9.]+) ");
  private static final String INSERT = "insert into bench.raw (payload) values (%s)";
  private final Sql sql;
  private final Path folder;

  RawCommits(Sql sql, Path folder) {
    this.sql = sql;
    this.folder = folder;
  }

  /// The table lies outside the schema of the service. It is plain, so that 2 KB stay in the row
  /// and are not compressed.
  void prepare() throws SQLException {
    sql.execute("create schema if not exists bench");
    sql.execute(
        """
        create table if not exists bench.raw (
          id bigint generated always as identity primary key, payload text not null)
        """);
    sql.execute("alter table bench.raw alter column payload set storage plain");
  }

  /// Leaves nothing behind for the next measurement to vacuum.
  void clear() throws SQLException {
    sql.execute("truncate bench.raw");
  }

  /// By `pgbench` where there is one, else by JDBC.
  double perSecond(int connections, double seconds) throws Exception {
    double rate = hasPgbench() ? pgbench(connections, seconds) : jdbc(connections, seconds);
    clear();
    return rate;
  }

  static boolean hasPgbench() {
    return List.of(System.getenv().getOrDefault("PATH", "").split(":")).stream()
        .anyMatch(it -> Files.isExecutable(Path.of(it, "pgbench")));
  }

  double jdbc(int connections, double seconds) throws Exception {
    var inserts = new ArrayList<Insert>();
    try {
      for (int i = 0; i < connections; i++) {
        inserts.add(new Insert(sql));
      }
      return ClosedLoop.run(seconds, inserts).perSecond();
    } finally {
      for (var insert : inserts) {
        insert.close();
      }
    }
  }

  private double pgbench(int connections, double seconds) throws IOException, InterruptedException {
    var script =
        Files.writeString(folder.resolve("insert.sql"), INSERT.formatted(":payload") + ";\n");
    var url = PgUrl.of(sql.url());
    var command =
        new ArrayList<>(List.of("pgbench", "-n", "-M", "prepared", "-f", script.toString()));
    command.addAll(List.of("-D", "payload=" + Texts.text(BYTES)));
    command.addAll(List.of("-c", "" + connections, "-j", "" + Math.min(2, connections)));
    command.addAll(List.of("-T", "" + Math.max(1, Math.round(seconds))));
    command.addAll(List.of("-h", url.host(), "-p", url.port(), "-U", url.user(), url.database()));
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("PGPASSWORD", url.password());
    var process = builder.start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    var rate = RATE.matcher(output);
    if (process.waitFor() != 0 || !rate.find()) {
      throw new IOException("pgbench failed: " + output);
    }
    return Double.parseDouble(rate.group(1));
  }

  private static final class Insert implements Callable<Integer>, AutoCloseable {
    private final Connection connection;
    private final PreparedStatement statement;
    private final String payload = Texts.text(BYTES);

    Insert(Sql sql) throws SQLException {
      connection = sql.connect();
      statement = connection.prepareStatement(INSERT.formatted("?"));
    }

    @Override
    public Integer call() throws SQLException {
      statement.setString(1, payload);
      return statement.executeUpdate();
    }

    @Override
    public void close() throws SQLException {
      statement.close();
      connection.close();
    }
  }
}
