package dev.superstep.checkpoint.row;

import dev.superstep.database.TestDatabase;
import dev.superstep.engine.SampleRun;
import dev.superstep.engine.node.CheckpointStore;
import java.util.Arrays;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
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
  private StoreParts parts;
  private JdbcClient jdbc;
  private CheckpointStore store;

  @Setup
  public void openDatabase() throws Exception {
    parts = new StoreParts(TestDatabase.fresh(), 4);
    jdbc = parts.jdbc;
    store = parts.store(1);
  }

  @TearDown
  public void closeDatabase() {
    parts.close();
  }

  @Benchmark
  public long appendAThousandTimes() {
    var run = SampleRun.of("run-" + UUID.randomUUID());
    var lease = parts.start(run);
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
}
