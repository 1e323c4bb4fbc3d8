package dev.superstep.bench;

import dev.superstep.database.BenchDatabase;
import java.nio.file.Files;
import java.sql.SQLException;
import java.util.Optional;

/// What all workloads work with.
final class Bench implements AutoCloseable {
  private final BenchOptions options;
  private final Figures figures = new Figures();
  private final Optional<BenchDatabase> server;
  private final Sql sql;
  private final RawCommits commits;

  private Bench(BenchOptions options, Optional<BenchDatabase> server, Sql sql) {
    this.options = options;
    this.server = server;
    this.sql = sql;
    commits = new RawCommits(sql, options.output());
  }

  static Bench open(BenchOptions options) throws Exception {
    Files.createDirectories(options.output());
    var server =
        options.datasource().isPresent()
            ? Optional.<BenchDatabase>empty()
            : Optional.of(BenchDatabase.start(options.output().resolve("data")));
    var url = options.datasource().isPresent() ? options.datasource().get() : server.get().fresh();
    var bench = new Bench(options, server, new Sql(url));
    bench.commits.prepare();
    return bench;
  }

  /// One repeat of a workload.
  @FunctionalInterface
  interface Repeat {
    void measure() throws Exception;
  }

  BenchOptions options() {
    return options;
  }

  Figures figures() {
    return figures;
  }

  /// The database of the workloads in this JVM.
  Sql sql() {
    return sql;
  }

  RawCommits commits() {
    return commits;
  }

  /// A database of its own, where the server is ours.
  Sql freshDatabase() throws SQLException {
    return server.isPresent() ? new Sql(server.get().fresh()) : sql;
  }

  /// Measures as often as asked for, each time when nothing else runs, beside the yardsticks.
  void repeat(String what, Repeat repeat) throws Exception {
    for (int i = 1; i <= options.pace().repeats(); i++) {
      checkpoint();
      double busy = Quiet.await(options.pace().quietSeconds());
      var machine = Yardsticks.measure(commits);
      System.out.printf(
          "%n%s, %d of %d (others used %.0f %% of the processors)%n",
          what, i, options.pace().repeats(), 100 * busy);
      figures.add(Figure.of("busy", "Yardstick: used by others before", "%"), 100 * busy);
      figures.add(Figure.of("sha", "Yardstick: 256 MiB of SHA-256", "s"), machine.hashSeconds());
      figures.add(
          Figure.of("commits", "Yardstick: INSERT commits of 2 KB, 1 connection", "/s"),
          machine.commitsPerSecond());
      repeat.measure();
    }
  }

  private void checkpoint() throws SQLException {
    if (server.isPresent()) {
      server.get().checkpoint();
    }
  }

  @Override
  public void close() {
    server.ifPresent(BenchDatabase::close);
  }
}
