package dev.superstep.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.SampleRun;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;

/// E45: what a history costs in bytes. Its time is measured by `HistoryBenchmark`.
@StoreTest
class HistoryBytesTests {
  private static final int SUPERSTEPS = 1_000;
  private static final int PAYLOAD_BYTES = 1024;
  @Autowired private PostgresBackend backend;

  @Test
  void writesAtMostThreeTimesThePayloadOfAListThatGrows() {
    var run = SampleRun.of("run-" + UUID.randomUUID());
    backend.start(run.header, run.first());
    var lease = backend.claim(run.id(), run.graph).lease();
    var random = new Random(1);

    long before = walBytes();
    for (int i = 0; i < SUPERSTEPS; i++) {
      backend.store().commit(lease, run.step(text(random)));
    }
    long written = walBytes() - before;

    double payload = (double) SUPERSTEPS * PAYLOAD_BYTES;
    LoggerFactory.getLogger(HistoryBytesTests.class)
        .info(
            "written-ahead log {} x payload, rows {} x payload",
            "%.2f".formatted(written / payload),
            "%.2f".formatted(rowBytes(run) / payload));
    assertThat(written).isLessThanOrEqualTo((long) (3 * payload));
    assertThat(rowBytes(run)).isLessThanOrEqualTo((long) (3 * payload));
  }

  private long walBytes() {
    return backend
        .jdbc()
        .sql("select pg_current_wal_insert_lsn() - '0/0'::pg_lsn")
        .query(Long.class)
        .single();
  }

  private long rowBytes(SampleRun run) {
    return backend
        .jdbc()
        .sql(
            """
            select sum(pg_column_size(c.*))
              from checkpoint c
             where run = ?
            """)
        .param(run.id())
        .query(Long.class)
        .single();
  }

  private static String text(Random random) {
    var text = new StringBuilder(PAYLOAD_BYTES);
    random.ints(PAYLOAD_BYTES, '!', '~').forEach(it -> text.append((char) it));
    return text.toString();
  }
}
