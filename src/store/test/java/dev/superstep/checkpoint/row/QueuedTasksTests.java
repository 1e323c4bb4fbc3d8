package dev.superstep.checkpoint.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.PostgresBackend;
import dev.superstep.checkpoint.StoreTest;
import dev.superstep.checkpoint.work.ClaimStatement.TaskClaim;
import dev.superstep.checkpoint.work.ClaimedTask;
import dev.superstep.checkpoint.work.WorkerTasks;
import dev.superstep.engine.SampleRun;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.checkpoint.TaskRecord.TaskStatus;
import dev.superstep.engine.checkpoint.WorkerStart;
import dev.superstep.engine.node.CheckpointStore;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.LeaseLostException;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.engine.run.WorkerEnd;
import dev.superstep.engine.run.WorkerTask;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/// The rows of tasks that workers execute.
@StoreTest
class QueuedTasksTests {
  private static final int GRAPHS = 50;
  private static final int QUEUED = 100_000;
  private static final int CLAIMED = 2_000;

  @Autowired private PostgresBackend backend;
  @Autowired private CheckpointStore store;
  @Autowired private WorkerTasks tasks;
  @Autowired private JdbcClient jdbc;
  @Autowired private DataSource primary;

  private final String type = "type-" + UUID.randomUUID();
  private final SampleRun run = SampleRun.of("run-" + UUID.randomUUID());

  @Test
  void queuesATaskWithTheRecordThatWaitsForIt() {
    var lease = started();
    store.record(lease, List.of(waits("t1-" + type, 1)), List.of());
    store.record(lease, List.of(waits("t1-" + type, 1)), List.of());

    var claimed = claim(10);
    assertThat(claimed)
        .singleElement()
        .satisfies(it -> {
          assertThat(it.origin().run()).isEqualTo(run.id());
          assertThat(it.origin().task()).isEqualTo(run.task(SampleRun.A));
          assertThat(it.payload()).isEqualTo(ObjectValue.of("input", 1));
        });
  }

  @Test
  void queuesNothingForADriverThatHasLostTheRun() {
    var lost = started();
    backend.claim(run.id(), run.graph);

    assertThatThrownBy(() -> store.record(lost, List.of(waits("t1-" + type, 1)), List.of()))
        .isInstanceOf(LeaseLostException.class);
    assertThat(claim(10)).isEmpty();
  }

  /// A retry replaces what is still out of the attempt before.
  @Test
  void withdrawsWhatARetryReplaces() {
    var lease = started();
    store.record(lease, List.of(waits("t1-" + type, 1)), List.of());
    var first = claim(1).getFirst();
    store.record(lease, List.of(waits("t2-" + type, 2)), List.of());

    assertThat(claim(10)).extracting(ClaimedTask::id).containsExactly("t2-" + type);
    assertThat(tasks.heartbeat(first.id(), first.token(), Optional.empty())).isEmpty();
    assertThat(tasks.end(first.id(), first.token(), done(), 1)).isFalse();
  }

  @Test
  void readsEachEndOnceInTheOrderInWhichItWasCounted() {
    var lease = started();
    store.record(lease, List.of(waits("t1-" + type, 1)), List.of());
    var task = claim(1).getFirst();
    assertThat(store.workerEnds(lease, run.open(), 0)).isEmpty();
    assertThat(tasks.end(task.id(), task.token(), done(), 7)).isTrue();
    assertThat(tasks.end(task.id(), task.token(), done(), 8)).isFalse();

    assertThat(store.workerEnds(lease, run.open(), 6))
        .containsExactly(new CheckpointStore.EndedWorker(task.id(), 7, done()));
    assertThat(store.workerEnds(lease, run.open(), 7)).isEmpty();
  }

  enum Statistics {
    UNKNOWN,
    ANALYZED
  }

  /// What a call of a worker costs does not grow with the tasks that wait.
  @ParameterizedTest
  @EnumSource(Statistics.class)
  void readsFewRowsHoweverManyTasksWait(Statistics statistics) {
    var transaction = new TransactionTemplate(new JdbcTransactionManager(primary));
    transaction.executeWithoutResult(status -> {
      status.setRollbackOnly();
      jdbc.sql("lock table run, task in share update exclusive mode").update();
      fill();
      if (statistics == Statistics.ANALYZED) {
        jdbc.sql("analyze run, task").update();
      }
      long before = rowsRead();
      var claimed = claim(10);
      long claim = rowsRead();
      assertThat(claimed).hasSize(10);
      assertThat(claimed.stream().map(it -> it.origin().graph()).distinct())
          .as("graphs that have a turn")
          .hasSize(10);
      var task = claimed.getFirst();
      assertThat(tasks.heartbeat(task.id(), task.token(), Optional.empty())).isPresent();
      long heartbeat = rowsRead();
      assertThat(tasks.end(task.id(), task.token(), done(), 1)).isTrue();
      long end = rowsRead();
      assertThat(tasks.out(task.origin().run(), task.origin().task(), 9)).isEqualTo(9);
      long out = rowsRead();
      assertThat(tasks.requeueLost(4, 100)).isEmpty();
      assertThat(tasks.overdue(4, 100)).isEmpty();
      long expiry = rowsRead();

      // for each graph: its claimed tasks, ten candidates and fifty that may be unwanted
      assertThat(claim - before).isLessThan(GRAPHS * (CLAIMED / GRAPHS + 2 * (10 + 50) + 20L));
      assertThat(heartbeat - claim).isLessThan(20);
      assertThat(end - heartbeat).isLessThan(20);
      assertThat(out - end).isLessThan(100);
      assertThat(expiry - out).as("all that are claimed").isLessThan(3L * (CLAIMED + 10));
    });
  }

  private void fill() {
    jdbc.sql(
            """
            insert into run (id, graph, version, status, ordinal)
            select 'filled-' || n, 'g' || n % ?, 1, 'waiting', 0 from generate_series(1, 1000) as n
            """)
        .param(GRAPHS)
        .update();
    insert("queued", 1, QUEUED);
    insert("claimed", QUEUED + 1, QUEUED + CLAIMED);
    insert("done", QUEUED + CLAIMED + 1, 2 * QUEUED);
  }

  private void insert(String state, int from, int to) {
    jdbc.sql(
            """
            insert into task (id, run, graph, superstep, node, dispatch_id, number, wakes_below,
                              type, attempt, idempotency_key, payload, heartbeat_ms, state,
                              lease_until, queued_at)
            select 'filled-' || n, 'filled-' || 1 + n % 1000, 'g' || (1 + n % 1000) % :graphs, 1,
                   'a', n, 1, 0, :type, 1, n, '{"input":1}', 60000, :state,
                   case when :state = 'claimed' then now() + interval '1 hour' end,
                   now() + n * interval '1 ms'
              from generate_series(:from, :to) as n
            """)
        .param("graphs", GRAPHS)
        .param("type", type)
        .param("state", state)
        .param("from", from)
        .param("to", to)
        .update();
  }

  private long rowsRead() {
    return jdbc.sql(
            """
            select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))
              from pg_stat_xact_user_tables where relname in ('run', 'task')
            """)
        .query(Long.class)
        .single();
  }

  private Lease started() {
    backend.start(run.header, run.first());
    return backend.claim(run.id(), run.graph).lease();
  }

  private TaskRecord waits(String id, int number) {
    var asked =
        new WorkerTask(
            type,
            ObjectValue.of("input", 1),
            "key",
            1,
            new WorkerTask.Timeouts(Optional.empty(), Optional.empty(), Duration.ofMinutes(1)));
    TaskKey key = run.task(SampleRun.A);
    return run.done(key, "x")
        .with(new TaskStatus.AtWorker(id, Optional.of(new WorkerStart(asked, number, 0))));
  }

  private List<ClaimedTask> claim(int max) {
    return tasks.claim(new TaskClaim("default", Set.of(type), Optional.of("w"), max));
  }

  private static WorkerEnd done() {
    return new WorkerEnd.Returned(Value.of("made"));
  }
}
