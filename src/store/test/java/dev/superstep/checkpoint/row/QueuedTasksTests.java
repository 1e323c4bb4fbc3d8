package dev.superstep.checkpoint.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.PostgresBackend;
import dev.superstep.checkpoint.StoreTest;
import dev.superstep.checkpoint.StoredObject;
import dev.superstep.checkpoint.work.ClaimStatement.TaskClaim;
import dev.superstep.checkpoint.work.ClaimedTask;
import dev.superstep.checkpoint.work.WorkerTasks;
import dev.superstep.checkpoint.work.WorkerTasks.Overdue;
import dev.superstep.checkpoint.work.WorkerTasks.OverdueTask;
import dev.superstep.context.Glob;
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
import dev.superstep.tenant.Reach;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
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
  private static final WorkerEnd LONG_END = new WorkerEnd.Returned(Value.of("x".repeat(1_200_000)));

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
    assertThat(tasks.heartbeat(first.id(), first.token(), Optional.empty()))
        .hasValueSatisfying(it -> assertThat(it.wanted()).isFalse());
    assertThat(tasks.end(first.id(), first.token(), done(), 1)).isEmpty();
  }

  @Test
  void readsHowTasksEndedThatStillWait() {
    var lease = started();
    store.record(lease, List.of(waits("t1-" + type, 1)), List.of());
    var task = claim(1).getFirst();
    assertThat(store.workerEnds(lease, Set.of(task.id()))).isEmpty();
    assertThat(tasks.end(task.id(), task.token(), done(), 7)).isPresent();
    assertThat(tasks.end(task.id(), task.token(), done(), 8)).isEmpty();

    assertThat(store.workerEnds(lease, Set.of(task.id(), "other")))
        .containsExactly(new CheckpointStore.EndedWorker(task.id(), done()));
    assertThat(store.workerEnds(lease, Set.of("other"))).as("that is not asked for").isEmpty();
  }

  @Test
  void readsLongOutcomesInPages() {
    var lease = started();
    var ids = new ArrayList<String>();
    for (int i = 0; i < 6; i++) {
      ids.add("t" + i + "-" + type);
      store.record(lease, List.of(waits(ids.get(i), 1)), List.of());
      var task = claim(1).getFirst();
      assertThat(tasks.end(task.id(), task.token(), LONG_END, 1 + i)).isPresent();
    }

    assertThat(store.workerEnds(lease, Set.copyOf(ids)))
        .extracting(CheckpointStore.EndedWorker::task)
        .containsExactlyElementsOf(ids.subList(0, 4));
    assertThat(store.workerEnds(lease, Set.copyOf(ids.subList(4, 6)))).hasSize(2);
  }

  @Test
  void handsOutNoMorePayloadAtOnceThanFits() {
    insertRun("long", "waiting");
    insertTasks("long", 12, "x".repeat(1_000_000));

    assertThat(claim(12)).hasSize(8);
    assertThat(claim(12)).hasSize(4);
  }

  /// Their tasks are not in the way of others, and come back.
  @Test
  void takesTasksOfFailedRunsOutOfTheQueueUntilTheseAreResumed() {
    insertRun("failed", "failed");
    insertTasks("failed", 70, "x");
    assertThat(claim(1)).isEmpty();
    assertThat(count("queued")).isZero();
    assertThat(count("resting")).isEqualTo(70);
    tasks.queueResumed(1_000);
    assertThat(count("resting")).as("that of runs which have failed").isEqualTo(70);

    jdbc.sql("update run set status = 'waiting' where id = ?").param("failed-" + type).update();
    tasks.queueResumed(1_000);
    assertThat(claim(100)).hasSize(70);
  }

  @Test
  void hasADutyTakeThemOut() {
    insertRun("failed", "failed");
    insertTasks("failed", 3, "x");
    tasks.rest(1_000);
    assertThat(count("resting")).isEqualTo(3);
    jdbc.sql("update run set status = 'cancelled' where id = ?").param("failed-" + type).update();
    tasks.withdrawUnwanted(1_000);
    assertThat(count("withdrawn")).isEqualTo(3);
  }

  /// More than one look considers.
  @Test
  void givesEachOfManyGraphsATurn() {
    for (int i = 0; i < 230; i++) {
      insertRun("g%03d".formatted(i), "waiting");
      insertTasks("g%03d".formatted(i), 2, "x");
    }
    var graphs = new HashSet<String>();
    for (int i = 0; i < 230; i++) {
      claim(1).forEach(it -> graphs.add(it.origin().graph()));
    }
    assertThat(graphs).hasSize(230);
  }

  @Test
  void findsWhatIsWithinReachBehindManyGraphs() {
    for (int i = 0; i < 210; i++) {
      insertRun("g%03d".formatted(i), "waiting");
      insertTasks("g%03d".formatted(i), 1, "x");
    }
    insertRun("zeta", "waiting");
    insertTasks("zeta", 1, "x");
    var zeta = new Reach("", List.of(Glob.of("zeta-*")), List.of());

    var claimed =
        Reach.limited(() -> {
          Reach.take(Optional.of(zeta));
          return claim(5);
        });
    assertThat(claimed).extracting(it -> it.origin().run()).containsExactly("zeta-" + type);
  }

  /// Each of them would take the oldest task.
  @Test
  void givesEachOfManyClaimsATask() throws Exception {
    int claims = 48;
    insertRun("shared", "waiting");
    insertTasks("shared", claims, "x");
    var claimed = new ArrayList<ClaimedTask>();
    try (var workers = Executors.newFixedThreadPool(8)) {
      var calls = Collections.<Callable<List<ClaimedTask>>>nCopies(claims, () -> claim(1));
      for (var call : workers.invokeAll(calls)) {
        assertThat(call.get()).hasSize(1);
        claimed.addAll(call.get());
      }
    }
    assertThat(claimed).extracting(ClaimedTask::id).doesNotHaveDuplicates();
  }

  /// Also if nobody has noticed yet.
  @Test
  void refusesAnEndBehindTheLease() {
    insertRun("late", "waiting");
    insertTasks("late", 1, "x");
    var task = claim(1).getFirst();
    lapse();

    assertThat(tasks.end(task.id(), task.token(), done(), 1)).isEmpty();
    assertThat(tasks.heartbeat(task.id(), task.token(), Optional.empty())).isEmpty();
  }

  /// A claim whose worker was never heard of may have been answered to nobody.
  @Test
  void holdsItsLossAgainstATaskOnlyIfTheWorkerWasHeardOf() {
    insertRun("lost", "waiting");
    insertTasks("lost", 1, "x");
    for (int i = 0; i < 4; i++) {
      loseNext(Optional.empty());
    }
    assertThat(claim(1)).as("behind four silent ones").hasSize(1);
    lapse();
    tasks.requeueLost(4, 1_000);
    for (int i = 0; i < 4; i++) {
      assertThat(overdue()).isEmpty();
      loseNext(Optional.of(Value.of(i)));
    }
    assertThat(claim(1)).isEmpty();
    assertThat(overdue()).isEqualTo(List.of(Overdue.HEARTBEAT));
  }

  private List<Overdue> overdue() {
    return tasks.overdue(4, 1_000).stream()
        .filter(it -> it.id().endsWith(type))
        .map(OverdueTask::kind)
        .toList();
  }

  private void loseNext(Optional<Value> beat) {
    var task = claim(1).getFirst();
    beat.ifPresent(it -> assertThat(tasks.heartbeat(task.id(), task.token(), beat)).isPresent());
    lapse();
    tasks.requeueLost(4, 1_000);
  }

  private void lapse() {
    jdbc.sql("update task set lease_until = now() where type = ?").param(type).update();
  }

  private int count(String state) {
    return jdbc.sql("select count(*) from task where type = ? and state = ?")
        .params(type, state)
        .query(Integer.class)
        .single();
  }

  private void insertRun(String name, String status) {
    jdbc.sql(
            """
            insert into run (id, graph, version, status, ordinal) values (?, ?, 1, ?, 0)
            """)
        .params(name + "-" + type, name + "-" + type, status)
        .update();
  }

  private void insertTasks(String run, int number, String input) {
    jdbc.sql(
            """
            insert into task (id, run, graph, superstep, node, dispatch_id, number, wakes_below,
                              type, attempt, idempotency_key, payload, heartbeat_ms, state)
            select :run || '-' || n || '-' || :type, :run || '-' || :type, :run || '-' || :type, 1,
                   'a', n, 1, 0, :type, 1, n, :payload, 60000, 'queued'
              from generate_series(1, :number) as n
            """)
        .param("run", run)
        .param("type", type)
        .param("number", number)
        .param("payload", StoredObject.bytes(ObjectValue.of("input", input)))
        .update();
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
      assertThat(tasks.end(task.id(), task.token(), done(), 1)).isPresent();
      long end = rowsRead();
      assertThat(tasks.out(task.origin().run(), task.origin().task(), 9)).isEqualTo(9);
      long out = rowsRead();
      assertThat(tasks.requeueLost(4, 100)).isEmpty();
      assertThat(tasks.overdue(4, 100)).isEmpty();
      long expiry = rowsRead();

      // for each graph: its claimed tasks, ten candidates and fifty that may be unwanted
      assertThat(claim - before).isLessThan(GRAPHS * (CLAIMED / GRAPHS + 2 * (10 + 2 + 50) + 20L));
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
    return tasks.claim(new TaskClaim("default", Set.of(type), Optional.of("w"), max, Set.of()));
  }

  private static WorkerEnd done() {
    return new WorkerEnd.Returned(Value.of("made"));
  }
}
