package dev.superstep.run;

import static dev.superstep.run.RunActions.fresh;
import static dev.superstep.run.RunActions.request;
import static dev.superstep.run.RunActions.with;
import static dev.superstep.run.TestGraphs.graph;
import static dev.superstep.run.TestGraphs.log;
import static dev.superstep.run.TestGraphs.says;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.engine.run.RunStatus;
import dev.superstep.graph.Breakpoints;
import dev.superstep.graph.Limits;
import dev.superstep.run.RunsAlone.TestCallers;
import dev.superstep.run.drive.RunQueue;
import dev.superstep.run.start.Reconciler;
import dev.superstep.schedule.ScheduledRows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/// A replica with room for two runs.
class FullReplicaTests {
  private static final Duration SOON = Duration.ofSeconds(15);
  private static TwoReplicas cluster;
  private static ConfigurableApplicationContext replica;
  private static RunActions on;

  private final List<String> runs = new ArrayList<>();
  private final List<String> begun = new CopyOnWriteArrayList<>();
  private final Semaphore many = new Semaphore(0);
  private final Semaphore few = new Semaphore(0);

  @BeforeAll
  static void start() throws Exception {
    cluster = new TwoReplicas("--superstep.runs.max=2", "--superstep.runs.turn=300ms");
    replica = cluster.start();
    on = cluster.on(replica);
    await().atMost(SOON).until(() -> TwoReplicas.hasJoined(replica));
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @AfterEach
  void empty() {
    many.release(1_000);
    few.release(1_000);
    runs.forEach(it -> on.await(it, RunStatus.SUCCEEDED));
  }

  private String gated(String name, Semaphore gate) {
    var graph = fresh(name);
    cluster
        .graphs()
        .add(
            graph(graph)
                .node(
                    "a",
                    _ -> {
                      begun.add(name);
                      gate.acquire();
                      return log("a");
                    })
                .edge("__start__", "a"));
    return graph;
  }

  private void start(String graph, int priority) {
    var limits =
        new Limits(
            Optional.of(100_000),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    var options = new StartRun.Options(limits, Breakpoints.NONE, priority, Optional.empty());
    runs.add(on.runs().start(with(request(graph), options)).run());
  }

  private void fillWith(String graph, int runs) {
    for (int i = 0; i < runs; i++) {
      start(graph, 0);
    }
    await().atMost(SOON).until(() -> begun.size() == 2);
    await().atMost(SOON).until(() -> replica.getBean(RunQueue.class).someWait());
  }

  /// A graph with a long queue does not hold up another, which comes later, although no run lasts.
  @Test
  void sharesItsRoomAmongGraphs() {
    fillWith(gated("many", many), 20);
    var rare = gated("few", few);
    for (int i = 0; i < 4; i++) {
      start(rare, 0);
    }
    await().atMost(SOON).until(() -> replica.getBean(RunQueue.class).isContended());

    many.release(20);
    few.release(4);

    await().atMost(Duration.ofMinutes(1)).until(() -> begun.size() == 24);
    // Two were there before, and then the graphs take turns.
    assertThat(begun.lastIndexOf("few")).isLessThan(14);
  }

  /// The caller with the long queue, and with the high priority, is served in turn with the other.
  @Test
  void sharesItsRoomAmongCallersBeforeGraphsAndPriorities() {
    var graph = gated("many", many);
    as("a", () -> fillWith(graph, 4));
    for (int i = 0; i < 16; i++) {
      int graphs = i;
      as("a", () -> start(gated("many", many), 5 + graphs % 3));
    }
    var rare = gated("few", few);
    for (int i = 0; i < 4; i++) {
      as("b", () -> start(rare, 0));
    }
    await().atMost(SOON).until(() -> replica.getBean(RunQueue.class).isContended());

    many.release(20);
    few.release(4);

    await().atMost(Duration.ofMinutes(1)).until(() -> begun.size() == 24);
    // Two were there before, and then the callers take turns.
    assertThat(begun.lastIndexOf("few")).isLessThan(14);
  }

  /// A graph that never ends; counts how often the node of each run was called.
  private static String loop(Map<String, AtomicInteger> calls) {
    var loop = fresh("loop");
    cluster
        .graphs()
        .add(
            graph(loop)
                .node(
                    "a",
                    call -> {
                      calls
                          .computeIfAbsent(call.run().id(), _ -> new AtomicInteger())
                          .incrementAndGet();
                      Thread.sleep(20);
                      return log("a");
                    })
                .edge("__start__", "a")
                .edge("a", "a"));
    return loop;
  }

  private static int superstep(String run) {
    return on.queries().summary(run).standing().superstep();
  }

  private static long claims(String run) {
    return on.jdbc()
        .sql("select lease_epoch from run where id = ?")
        .param(run)
        .query(Long.class)
        .single();
  }

  private void end(List<String> loops) {
    runs.removeAll(loops);
    loops.forEach(on.runs()::cancel);
    loops.forEach(it -> on.await(it, RunStatus.CANCELLED));
  }

  /// Runs that never end hold all slots; a run of another caller gets one all the same, and each of
  /// them again and again. They give their slots away between supersteps: nothing is called twice.
  @Test
  void takesSlotsFromLongLoopsForThoseThatWait() {
    var calls = new ConcurrentHashMap<String, AtomicInteger>();
    var loop = loop(calls);
    for (int i = 0; i < 6; i++) {
      as("a", () -> start(loop, 9));
    }
    var loops = List.copyOf(runs);
    runs.clear();
    await().atMost(SOON).until(() -> replica.getBean(RunQueue.class).someWait());
    var one = fresh("one");
    cluster.graphs().add(graph(one).node("a", says("a")).edge("__start__", "a"));

    as("b", () -> start(one, 0));

    on.await(runs.getLast(), RunStatus.SUCCEEDED);
    // Of one caller, too, each gets its turn, and then another one.
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> loops.stream().allMatch(it -> claims(it) > 1));
    var once = loops.stream().map(FullReplicaTests::superstep).toList();
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> IntStream.range(0, 6).allMatch(it -> superstep(loops.get(it)) > once.get(it)));
    end(loops);
    assertThat(loops)
        .allSatisfy(it -> {
          assertThat(on.events(it)).doesNotContain("run.taken_over");
          assertThat(requireNonNull(calls.get(it)).get() - superstep(it))
              .as("calls of %s", it)
              .isBetween(0, 1);
        });
  }

  /// A slot is taken from nobody while there is another one.
  @Test
  void leavesLongLoopsTheirSlotsWhileThereIsRoom() {
    var loop = loop(new ConcurrentHashMap<>());
    as("a", () -> start(loop, 0));
    var run = runs.getLast();
    await().until(() -> claims(run) == 1);
    var one = fresh("one");
    cluster.graphs().add(graph(one).node("a", says("a")).edge("__start__", "a"));

    // four times the turn of 300 ms
    await().atMost(Duration.ofMinutes(1)).until(() -> superstep(run) > 60);
    as("b", () -> start(one, 0));
    on.await(runs.getLast(), RunStatus.SUCCEEDED);

    assertThat(claims(run)).isEqualTo(1);
    end(List.of(run));
  }

  private static void as(String caller, Runnable call) {
    TestCallers.as(
        caller,
        () -> {
          call.run();
          return caller;
        });
  }

  @Test
  void takesHigherPrioritiesFirst() {
    var graph = gated("many", many);
    fillWith(graph, 6);
    var urgent = gated("few", few);
    start(urgent, 10);
    start(urgent, 10);
    await().atMost(SOON).until(() -> replica.getBean(RunQueue.class).isContended());

    many.release(2);

    await().atMost(SOON).until(() -> begun.size() == 4);
    assertThat(begun).containsExactly("many", "many", "few", "few");
  }

  /// Duties go on, and the dead are found, while there is no room for any run.
  @Test
  void staysAMemberAndFindsTheDead() {
    fillWith(gated("many", many), 4);
    var rows = new ScheduledRows(on.jdbc());
    rows.insertReplica("ghost", Duration.ofMinutes(1));
    on.jdbc()
        .sql(
            """
            update run set owner = 'ghost', status = 'running', lease_epoch = 1 where id = ?
            """)
        .param(runs.getLast())
        .update();

    await().atMost(SOON).until(() -> !rows.isReplica("ghost"));
    assertThat(begun).hasSize(2);
    assertThat(TwoReplicas.hasJoined(replica)).isTrue();
  }

  /// Rule 10: whatever kills its owners is stopped, and goes on when a person says so.
  @Test
  void failsAPoisonRun() {
    var graph = fresh("poison");
    var gate = new CountDownLatch(1);
    cluster
        .graphs()
        .add(
            graph(graph)
                .node(
                    "a",
                    _ -> {
                      begun.add("poison");
                      gate.await();
                      return log("a");
                    })
                .edge("__start__", "a"));
    var run = on.runs().start(request(graph)).run();
    for (int i = 1; i <= 6; i++) {
      int deaths = i;
      // One death may count twice: a run can be claimed once under a name that is just gone.
      await()
          .atMost(SOON)
          .until(() -> begun.size() >= deaths || on.status(run) == RunStatus.FAILED);
      if (on.status(run) != RunStatus.FAILED) {
        die();
      }
    }

    var failed = on.await(run, RunStatus.FAILED);

    assertThat(failed.summary().standing().error().orElseThrow().error().code())
        .isEqualTo("poison_run");
    gate.countDown();
    on.runs().resume(RunActions.resume(run));
    on.await(run, RunStatus.SUCCEEDED);
  }

  /// As if the process had died and come back under another name.
  private static void die() {
    var before = name();
    new ScheduledRows(on.jdbc()).deleteReplicas();
    await().atMost(SOON).until(() -> name().isPresent() && !name().equals(before));
    replica.getBean(Reconciler.class).reconcile();
  }

  private static Optional<String> name() {
    return replica.getBean(dev.superstep.schedule.Replica.class).id();
  }

  @Test
  void runsOnAfterItWasFull() {
    var graph = fresh("small");
    cluster.graphs().add(graph(graph).node("a", says("a")).edge("__start__", "a"));
    for (int i = 0; i < 40; i++) {
      runs.add(on.start(graph));
    }
    runs.forEach(it -> on.await(it, RunStatus.SUCCEEDED));
  }
}
