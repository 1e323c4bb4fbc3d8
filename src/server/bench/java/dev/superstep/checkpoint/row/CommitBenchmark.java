package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.row.EncodedCheckpoint.ChainEnd;
import dev.superstep.engine.SampleRun;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.TaskRecord.TaskStatus;
import dev.superstep.engine.node.CheckpointStore;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.state.Change;
import dev.superstep.state.value.Value;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

/// Durable supersteps per second, beside the raw rate of single-row 2 KB INSERT commits by plain
/// JDBC on the same server in the same run: one run at a time, and 64. The server has fsync on.
///
/// Arguments: seconds of each measurement (4), callers (64).
public final class CommitBenchmark {
  private static final int ROW_BYTES = 2000;
  private final EmbeddedPostgres server;
  private final Duration each;
  private final int callers;

  private CommitBenchmark(EmbeddedPostgres server, Duration each, int callers) {
    this.server = server;
    this.each = each;
    this.callers = callers;
  }

  public static void main(String[] arguments) throws Exception {
    var seconds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 4;
    var callers = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 64;
    var server =
        EmbeddedPostgres.builder()
            .setServerConfig("fsync", "on")
            .setServerConfig("synchronous_commit", "on")
            .setLocaleConfig("locale", "C.UTF-8")
            .setDataDirectory(Files.createTempDirectory("commit-benchmark"))
            .start();
    try (server) {
      new CommitBenchmark(server, Duration.ofSeconds(seconds), callers).run();
    }
  }

  private void run() throws Exception {
    try (var parts = new StoreParts(new Server(server), 16)) {
      for (int round = 0; round < 2; round++) {
        System.out.printf("round %d%n", round);
        raw(1);
        raw(callers);
        supersteps("alone, 1 caller", parts, new Alone(parts), 1);
        supersteps("group, 1 caller", parts, store(parts, 1), 1);
        supersteps("alone", parts, new Alone(parts), callers);
        supersteps("group of 1 writer", parts, store(parts, 1), callers);
        supersteps("group of 2 writers", parts, store(parts, 2), callers);
      }
    }
  }

  private static Committer store(StoreParts parts, int writers) {
    CheckpointStore store = parts.store(writers);
    return store::commit;
  }

  private interface Committer {
    Object commit(Lease lease, Commit commit);
  }

  /// Every superstep its own statement.
  private record Alone(StoreParts parts) implements Committer {
    @Override
    public Object commit(Lease lease, Commit commit) {
      var plainCommit =
          new PlainCommit(
              lease,
              List.of(commit),
              new ChainEnd(new ReplayCost(0, 1, 0), null),
              SnapshotPolicy.Outcomes.PERHAPS);
      parts.batches.execute(List.of(plainCommit));
      return plainCommit.writtenAt().orElseThrow();
    }
  }

  private record Server(EmbeddedPostgres server) implements JdbcConnectionDetails {
    @Override
    public String getJdbcUrl() {
      return server.getJdbcUrl("postgres", "postgres");
    }

    @Override
    public String getUsername() {
      return "postgres";
    }

    @Override
    public String getPassword() {
      return "";
    }
  }

  private void supersteps(String what, StoreParts parts, Committer committer, int threads)
      throws Exception {
    var committed = new LongAdder();
    measure(
        what,
        threads,
        committed,
        until -> {
          var run = SampleRun.of("run-" + UUID.randomUUID());
          var lease = parts.start(run);
          while (System.nanoTime() - until < 0) {
            var done = new TaskStatus.Done(NodeResult.of(Change.update("topic", Value.of("dogs"))));
            committer.commit(lease, run.step(run.record(run.task(SampleRun.A), done)));
            committed.increment();
          }
        });
  }

  private void raw(int threads) throws Exception {
    try (var connection = connection();
        var statement = connection.createStatement()) {
      statement.execute("drop table if exists raw");
      statement.execute("create table raw (id uuid primary key, data bytea not null)");
    }
    var committed = new LongAdder();
    measure(
        "raw INSERT",
        threads,
        committed,
        until -> {
          var random = new Random();
          var bytes = new byte[ROW_BYTES];
          try (var connection = connection();
              var insert = connection.prepareStatement("insert into raw values (?, ?)")) {
            while (System.nanoTime() - until < 0) {
              random.nextBytes(bytes);
              insert.setObject(1, new UUID(random.nextLong(), random.nextLong()));
              insert.setBytes(2, bytes);
              insert.executeUpdate();
              committed.increment();
            }
          }
        });
  }

  private Connection connection() throws SQLException {
    return DriverManager.getConnection(server.getJdbcUrl("postgres", "postgres"));
  }

  private interface Work {
    void until(long nanoTime) throws Exception;
  }

  private void measure(String what, int threads, LongAdder count, Work work) throws Exception {
    long begun = System.nanoTime();
    long until = begun + each.toNanos();
    try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < threads; i++) {
        pool.submit(() -> {
          work.until(until);
          return null;
        });
      }
    }
    double seconds = (System.nanoTime() - begun) / 1e9;
    System.out.printf("%-20s %3d callers %8.0f /s%n", what, threads, count.sum() / seconds);
  }
}
