package dev.superstep.run;

import static dev.superstep.run.RunActions.fresh;
import static dev.superstep.run.RunActions.request;
import static dev.superstep.run.TestGraphs.asks;
import static dev.superstep.run.TestGraphs.graph;
import static dev.superstep.run.TestGraphs.log;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.node.WorkPermits;
import dev.superstep.engine.run.InterruptRequest;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.run.RunService.Started;
import dev.superstep.schedule.Replica;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Share;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataAccessException;

/// Rule 17: a run whose caller waits for its end begins before it is on disk, and nobody notices.
@RunTest
class WaitedStartTests {
  private static final int ERA_SHIFT = 32;

  @Autowired private RunActions on;
  @Autowired private Replica replica;
  @Autowired private WorkPermits permits;

  private record Pure(NodeRunner runner) implements NodeRunner {
    @Override
    public Outcome run(NodeCall call) throws Exception {
      return runner.run(call);
    }

    @Override
    public boolean pure() {
      return true;
    }
  }

  private static NodeRunner says(String text) {
    return new Pure(_ -> log(text));
  }

  /// The first run of a process tells with which epoch the others begin.
  @BeforeEach
  void insertARun() {
    await()
        .until(() -> {
          var started = on.runs().start(request(chain()));
          on.await(started.run(), RunStatus.SUCCEEDED);
          return started.progress().isPresent();
        });
  }

  private String chain() {
    var name = fresh("waited");
    on.graphs()
        .add(
            graph(name)
                .node("a", says("a"))
                .node("b", says("b"))
                .node("c", says("c"))
                .edge("__start__", "a")
                .edge("a", "b")
                .edge("b", "c"));
    return name;
  }

  private Started startWaiting(StartRun request) {
    return on.runs().startWaiting(on.runs().check(request));
  }

  /// How many transactions have written the run and its checkpoints, so as they are now.
  private int transactions(String run) {
    return on.jdbc()
        .sql(
            """
            select count(distinct writer) from (
              select xmin::text as writer from run where id = :run
              union all select xmin::text from run_input where run = :run
              union all select xmin::text from checkpoint where run = :run) as written
            """)
        .param("run", run)
        .query(Integer.class)
        .single();
  }

  /// A driver that takes longer than it may keep commits writes twice: not each run, on a busy
  /// machine, is inserted whole.
  private Started startWhole() {
    return await()
        .until(
            () -> {
              var started = startWaiting(request(chain()));
              started.progress().orElseThrow().await(RunActions.LONG);
              return started;
            },
            it -> transactions(it.run()) == 1);
  }

  @Test
  void insertsARunTogetherWithAllThatItsDriverHasCommitted() throws Exception {
    var started = startWhole();

    var seen = started.progress().orElseThrow().await(RunActions.LONG).orElseThrow();

    assertThat(seen).isEqualTo(on.queries().run(started.run()));
    assertThat(seen.summary().status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(on.log(started.run())).containsExactly("a", "b", "c");
    assertThat(on.events(started.run()))
        .containsExactly(
            "run.created",
            "run.started",
            "superstep.committed",
            "superstep.committed",
            "superstep.committed",
            "run.succeeded");
  }

  /// Those who queue are of another tenant.
  @Test
  void insertsARunOfAQuietTenantAlikeWhileOthersQueue() throws Exception {
    var gate = new CountDownLatch(1);
    var loud = new Share("loud", "");
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      while (permits.admitsAtOnce(loud)) {
        threads.execute(() -> permits.begin(loud, () -> pass(gate)));
      }
      try {
        var started = startWhole();

        assertThat(permits.queued()).isPositive();
        assertThat(started.progress().orElseThrow().await(RunActions.LONG)).isPresent();
      } finally {
        gate.countDown();
      }
    }
  }

  private static void pass(CountDownLatch gate) {
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Its rows are those of a run that was inserted before it began.
  @Test
  void leavesTheRowsOfAnyOtherRun() throws Exception {
    var name = chain();
    var waited = startWaiting(request(name));
    waited.progress().orElseThrow().await(RunActions.LONG);
    var other = on.runs().start(request(name)).run();
    on.await(other, RunStatus.SUCCEEDED);

    assertThat(head(waited.run())).isEqualTo(head(other));
    assertThat(checkpoints(waited.run())).isEqualTo(checkpoints(other)).contains("\"number\": 3");
    assertThat(isOrdered(waited.run())).isTrue();
  }

  private String head(String run) {
    return on.jdbc()
        .sql(
            """
            select (to_jsonb(run) - array['id', 'created_at', 'started_at', 'finished_at',
                    'elapsed_ms', 'birth_id', 'driver_writes', 'digest'])::text
              from run where id = ?
            """)
        .param(run)
        .query(String.class)
        .single();
  }

  private String checkpoints(String run) {
    return on.jdbc()
        .sql(
            """
            select jsonb_agg(to_jsonb(checkpoint) - array['run', 'committed_at', 'content',
                             'snapshot', 'snapshot_bytes', 'delta_bytes', 'link', 'seal'] order by number)::text
              from checkpoint where run = ?
            """)
        .param(run)
        .query(String.class)
        .single();
  }

  /// Times never go back: insert, checkpoints, end.
  private boolean isOrdered(String run) {
    return on.jdbc()
        .sql(
            """
            select bool_and(at >= before) from (
              select at, lag(at, 1, at) over (order by place) as before from (
                select -1 as place, created_at as at from run where id = :run
                union all select number, committed_at from checkpoint where run = :run
                union all select 1000, finished_at from run where id = :run) as times) as pairs
            """)
        .param("run", run)
        .query(Boolean.class)
        .single();
  }

  /// I13
  @Test
  void isOnDiskBeforeANodeCallsOut() throws Exception {
    var onDisk = new CopyOnWriteArrayList<Integer>();
    NodeRunner looks =
        call -> {
          onDisk.add(
              on.jdbc()
                  .sql("select checkpoint from run where graph = ? and status = 'running'")
                  .param(call.run().graph())
                  .query(Integer.class)
                  .optional()
                  .orElse(-1));
          return log("looked");
        };
    var first = fresh("waited");
    on.graphs().add(graph(first).node("looks", looks).edge("__start__", "looks"));
    var third = fresh("waited");
    on.graphs()
        .add(
            graph(third)
                .node("a", says("a"))
                .node("b", says("b"))
                .node("looks", looks)
                .edge("__start__", "a")
                .edge("a", "b")
                .edge("b", "looks"));

    for (var name : List.of(first, third)) {
      var started = startWaiting(request(name));
      started.progress().orElseThrow().await(RunActions.LONG);
      on.await(started.run(), RunStatus.SUCCEEDED);
    }

    assertThat(onDisk).containsExactly(0, 2);
  }

  @Test
  void holdsARunThatAsksAtOnce() {
    var name = fresh("waited");
    var question = InterruptRequest.of("ask", Value.NULL);
    on.graphs()
        .add(
            graph(name)
                .node("a", says("a"))
                .node("ask", new Pure(asks(question)))
                .edge("__start__", "a")
                .edge("a", "ask"));

    var run = startWaiting(request(name)).run();

    var open = on.await(run, RunStatus.INTERRUPTED).interrupts().getFirst().id();
    on.runs().answer(open, Value.of("yes"));
    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).containsExactly("a", "yes");
  }

  @Test
  void storesNothingOfARunThatTheDatabaseRefuses() {
    var name = chain();

    assertThatThrownBy(() -> startWaiting(request(name, Map.of("note", "\0"))))
        .isInstanceOf(DataAccessException.class);

    assertThat(
            on.jdbc()
                .sql("select count(*) from run where graph = ?")
                .param(name)
                .query(Integer.class)
                .single())
        .isZero();
  }

  /// What it was to begin with is that of a history that is over.
  @Test
  void beginsWithItsInsertInANewHistory() {
    var name = fresh("waited");
    var before = replica.id();
    int era = on.jdbc().sql("select database_era()").query(Integer.class).single();
    on.jdbc()
        .sql("update database_era set timeline = '00000000' where era = ?")
        .param(era)
        .update();

    var keys = new CopyOnWriteArrayList<String>();
    on.graphs()
        .add(
            graph(name)
                .node("a", says("a"))
                .node(
                    "calls",
                    call -> {
                      keys.add(call.idempotencyKey());
                      return log("called");
                    })
                .edge("__start__", "a")
                .edge("a", "calls"));

    var run = startWaiting(request(name)).run();

    on.await(run, RunStatus.SUCCEEDED);
    assertThat(keys).hasSize(1);
    assertThat(
            on.jdbc()
                    .sql("select lease_epoch from run where id = ?")
                    .param(run)
                    .query(Long.class)
                    .single()
                >> ERA_SHIFT)
        .isIn((long) era, era + 1L); // the replica may have noticed before
    await().until(() -> replica.id().filter(it -> !before.equals(Optional.of(it))).isPresent());
  }
}
