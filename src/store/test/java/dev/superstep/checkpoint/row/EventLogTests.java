package dev.superstep.checkpoint.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.FaultyDataSource;
import dev.superstep.checkpoint.FaultyDataSource.Fault;
import dev.superstep.checkpoint.PostgresBackend;
import dev.superstep.checkpoint.StoreTest;
import dev.superstep.engine.SampleRun;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.Lease;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.transaction.IllegalTransactionStateException;

@StoreTest
class EventLogTests {
  @Autowired private PostgresBackend backend;
  @Autowired private EventLog log;
  @Autowired private DataSource dataSource;
  private SampleRun run;
  private Lease lease;

  @BeforeEach
  void startARun() {
    run = SampleRun.of("run-" + UUID.randomUUID());
    backend.start(run.header, run.first());
    lease = backend.claim(run.id(), run.graph).lease();
  }

  private void append(String... types) {
    var events =
        List.of(types).stream()
            .map(it -> Event.of(it, ObjectValue.of("said", Value.of(it))))
            .toList();
    backend.transaction().executeWithoutResult(_ -> log.append(run.id(), events));
  }

  private List<Long> seqs(long after, Set<String> types, int limit) {
    return log.read(run.id(), after, types, limit).stream().map(StoredEvent::seq).toList();
  }

  @Test
  void mergesEventsOfCallsWithThoseOfCheckpoints() {
    append("run.created", "run.started");
    backend.store().commit(lease, run.step("one"));
    append("custom");
    backend.store().commit(lease, run.step("two"));

    assertThat(log.read(run.id(), 0, Set.of(), 10))
        .extracting(it -> it.event().type())
        .containsExactly(
            "run.created", "run.started", "superstep.committed", "custom", "superstep.committed");
    assertThat(seqs(0, Set.of(), 10)).containsExactly(1L, 2L, 3L, 4L, 5L);
  }

  @Test
  void tellsAnOutageAsOtherStatementsDo() {
    assertThatThrownBy(() ->
            backend
                .transaction()
                .executeWithoutResult(_ -> {
                  ((FaultyDataSource) dataSource).breakOnce(Fault.BEFORE_STATEMENT);
                  log.append(run.id(), List.of(Event.of("custom", ObjectValue.empty())));
                }))
        .isInstanceOf(DataAccessResourceFailureException.class);
  }

  @Test
  void readsOnBehindASeq() {
    for (int i = 0; i < 5; i++) {
      append("custom");
      backend.store().commit(lease, run.step("item"));
    }

    assertThat(seqs(3, Set.of(), 4)).containsExactly(4L, 5L, 6L, 7L);
    assertThat(seqs(10, Set.of(), 4)).isEmpty();
  }

  @Test
  void readsPastWhatIsNotAskedFor() {
    for (int i = 0; i < 30; i++) {
      backend.store().commit(lease, run.step("item"));
    }
    append("custom");

    assertThat(seqs(0, Set.of("custom"), 2)).containsExactly(31L);
    assertThat(seqs(0, Set.of("superstep.committed"), 2)).containsExactly(1L, 2L);
  }

  @Test
  void knowsNoEventsOfAnUnknownRun() {
    assertThat(log.read("nobody", 0, Set.of(), 10)).isEmpty();
    assertThatThrownBy(() ->
            backend
                .transaction()
                .executeWithoutResult(
                    _ -> log.append("nobody", List.of(Event.of("custom", ObjectValue.empty())))))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void appendsOnlyInATransaction() {
    assertThatThrownBy(() -> log.append(run.id(), List.of(Event.of("custom", ObjectValue.empty()))))
        .isInstanceOf(IllegalTransactionStateException.class);
  }

  /// I5: numbers come from the run's locked row, so that writers never leave a gap, and a reader
  /// who has seen a number has seen all below it.
  @Test
  void leavesNoGapBetweenWritersAtTheSameTime() throws Exception {
    int each = 50;
    try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
      var writers = new ArrayList<Future<?>>();
      for (int w = 0; w < 3; w++) {
        writers.add(
            pool.submit(() -> {
              for (int i = 0; i < each; i++) {
                append("custom");
              }
            }));
      }
      writers.add(
          pool.submit(() -> {
            for (int i = 0; i < each; i++) {
              backend.store().commit(lease, run.step("item"));
            }
          }));
      long seen = 0;
      while (seen < 4L * each) {
        var page = seqs(seen, Set.of(), 1_000);
        assertThat(page)
            .containsExactlyElementsOf(
                LongStream.rangeClosed(seen + 1, seen + page.size()).boxed().toList());
        seen += page.size();
      }
      for (var writer : writers) {
        writer.get();
      }
    }
  }
}
