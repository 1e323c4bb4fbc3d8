package dev.superstep.checkpoint;

import com.zaxxer.hikari.HikariDataSource;
import dev.superstep.database.TestDatabase;
import dev.superstep.engine.CheckpointStore;
import dev.superstep.engine.Lease;
import dev.superstep.engine.SampleRun;
import dev.superstep.schedule.Wake;
import dev.superstep.schedule.WakeUps;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.flywaydb.core.Flyway;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/// A run whose list grows by 1 KiB of incompressible text in each of 1,000 supersteps: bytes
/// written to PostgreSQL over the payload (WAL, and tables with their indexes), and time per
/// superstep at the end over that at the start. The time of a shot is of all 1,000 commits.
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2)
@Measurement(iterations = 3)
@Fork(1)
@State(Scope.Benchmark)
public class HistoryBenchmark {
  private static final int SUPERSTEPS = 1_000;
  private static final int PAYLOAD_BYTES = 1024;
  private static final int EDGE = 200;
  private HikariDataSource dataSource;
  private JdbcClient jdbc;
  private TransactionTemplate transaction;
  private CheckpointStore store;
  private CheckpointWriter writer;

  @Setup
  public void openDatabase() throws Exception {
    var database = TestDatabase.fresh();
    dataSource = new HikariDataSource();
    dataSource.setJdbcUrl(database.getJdbcUrl());
    dataSource.setUsername(database.getUsername());
    dataSource.setPassword(database.getPassword());
    Flyway.configure().dataSource(dataSource).load().migrate();
    jdbc = JdbcClient.create(dataSource);
    var transactions = new JdbcTransactionManager(dataSource);
    transaction = new TransactionTemplate(transactions);
    var weights = new Weights(jdbc);
    var commits = new CommitStatement(jdbc);
    var wide =
        new WideWrites(
            commits,
            new RecordStatement(jdbc),
            new InterruptWrites(jdbc),
            new NoWakeUps(),
            transactions);
    store =
        new PostgresCheckpointStore(
            commits,
            wide,
            new Fence(jdbc),
            new NewsReader(jdbc),
            new StoreSettings(Duration.ofSeconds(30)),
            weights);
    writer = new CheckpointWriter(jdbc, weights);
  }

  @TearDown
  public void closeDatabase() {
    dataSource.close();
  }

  @Benchmark
  public long appendAThousandTimes() {
    var run = SampleRun.of("run-" + UUID.randomUUID());
    var lease = start(run);
    var random = new Random(1);
    var wal = walBytes();
    var tables = tableBytes();
    var nanos = new long[SUPERSTEPS];
    for (int i = 0; i < SUPERSTEPS; i++) {
      var commit = run.step(text(random));
      long begun = System.nanoTime();
      store.commit(lease, commit);
      nanos[i] = System.nanoTime() - begun;
    }
    report(walBytes() - wal, tableBytes() - tables, nanos);
    return wal;
  }

  private Lease start(SampleRun run) {
    transaction.executeWithoutResult(_ -> {
      jdbc.sql("insert into run (id, graph, version, status) values (?, 'sample', 3, 'queued')")
          .param(run.id())
          .update();
      writer.write(run.id(), run.first(), List.of());
      jdbc.sql("update run set lease_epoch = 1, owner = 'me', status = 'running' where id = ?")
          .param(run.id())
          .update();
    });
    return new Lease(run.id(), 1);
  }

  private static void report(long wal, long tables, long[] nanos) {
    double payload = (double) SUPERSTEPS * PAYLOAD_BYTES;
    long first = median(Arrays.copyOfRange(nanos, 0, EDGE));
    long last = median(Arrays.copyOfRange(nanos, SUPERSTEPS - EDGE, SUPERSTEPS));
    System.out.printf(
        "%nWAL %.2f x payload, tables %.2f x payload; median commit %d us at first, %d us at last"
            + " (%.2f x)%n",
        wal / payload, tables / payload, first / 1_000, last / 1_000, (double) last / first);
  }

  private static long median(long[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }

  private long walBytes() {
    return jdbc.sql("select pg_current_wal_insert_lsn() - '0/0'::pg_lsn")
        .query(Long.class)
        .single();
  }

  private long tableBytes() {
    return jdbc.sql("select pg_total_relation_size('checkpoint') + pg_total_relation_size('run')")
        .query(Long.class)
        .single();
  }

  private static String text(Random random) {
    var text = new StringBuilder(PAYLOAD_BYTES);
    random.ints(PAYLOAD_BYTES, '!', '~').forEach(it -> text.append((char) it));
    return text.toString();
  }

  private static final class NoWakeUps implements WakeUps {
    @Override
    public void schedule(Collection<Wake> wakes) {}

    @Override
    public Set<String> replicas() {
      return Set.of();
    }
  }
}
