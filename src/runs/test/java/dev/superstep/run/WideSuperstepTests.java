package dev.superstep.run;

import static dev.superstep.run.WideGraphs.count;
import static dev.superstep.run.WideGraphs.fanOut;
import static dev.superstep.run.WideGraphs.item;
import static dev.superstep.run.WideGraphs.logged;
import static dev.superstep.run.WideGraphs.pure;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.checkpoint.InvariantQueries;
import dev.superstep.engine.checkpoint.StepRecord.StepEnd;
import dev.superstep.engine.checkpoint.StepRecord.StepKind;
import dev.superstep.engine.node.MessageDelta;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.InterruptRequest;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.graph.Node;
import dev.superstep.graph.RetryPolicy;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Supersteps that several replicas execute.
class WideSuperstepTests {
  private static final Duration LONG = Duration.ofSeconds(30);

  /// Tasks that one replica executes at a time in these tests: more than that at once means that
  /// two replicas are at work.
  private static final int PER_REPLICA = 8;

  private static TwoReplicas cluster;
  private static ConfigurableApplicationContext one;
  private static ConfigurableApplicationContext two;
  private final Set<String> started = ConcurrentHashMap.newKeySet();

  @BeforeAll
  static void startTwo() throws Exception {
    cluster =
        new TwoReplicas(
            "--superstep.wide.threshold=20",
            "--superstep.wide.slice.min=4",
            "--superstep.wide.poll=100ms",
            "--superstep.limits.concurrency-max=" + PER_REPLICA);
    one = cluster.start();
    two = cluster.start();
    await().atMost(LONG).until(() -> TwoReplicas.hasJoined(one) && TwoReplicas.hasJoined(two));
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @AfterEach
  void leavesNothingBehind() {
    var jdbc = one.getBean(JdbcClient.class);
    var open = "(select run from task where state in ('queued', 'claimed')) as open";
    await().atMost(LONG).untilAsserted(() -> assertThat(rows(jdbc, open)).isZero());
    assertThat(new InvariantQueries(jdbc).violations(started, Duration.ZERO)).isEmpty();
  }

  private long rows(JdbcClient jdbc, String table) {
    return jdbc.sql("select count(*) from %s where run = any(?)".formatted(table))
        .param(started.toArray(String[]::new))
        .query(Long.class)
        .single();
  }

  private String start(TestGraphs.Builder graph, String name) {
    return start(graph, name, one);
  }

  private String start(
      TestGraphs.Builder graph, String name, ConfigurableApplicationContext replica) {
    cluster.graphs().add(graph);
    var run = cluster.on(replica).start(name);
    started.add(run);
    return run;
  }

  private static RunActions on() {
    return cluster.on(one);
  }

  private static String hash(String run) {
    return on().queries()
        .checkpoints(run, Optional.empty(), Page.Request.first(50))
        .items()
        .getFirst()
        .stateHash();
  }

  /// The tasks of a superstep in stored order, with their attempts.
  private static List<String> tasks(String run) {
    return on().queries().tasks(run, TaskFilter.ALL, Page.Request.first(200)).items().stream()
        .map(it -> it.id() + " " + it.status() + " " + it.calls().attempts())
        .toList();
  }

  /// E11, E12, E46: two replicas do what one does, event for event, and both take part. S2-13, C16:
  /// the tasks are spread, each to one replica, by no fixed partition.
  @Test
  void givesTheSameAsOneReplica() {
    var running = new AtomicInteger();
    var both = new CountDownLatch(1);
    NodeRunner work =
        call -> {
          if (running.incrementAndGet() > PER_REPLICA) {
            both.countDown();
          }
          both.await(20, TimeUnit.SECONDS);
          running.decrementAndGet();
          return count(call);
        };
    var wide = start(fanOut("wide", 100, work), "wide");
    var narrow = start(fanOut("narrow", 100, pure(WideGraphs::count)), "narrow");

    on().await(wide, RunStatus.SUCCEEDED);
    on().await(narrow, RunStatus.SUCCEEDED);

    assertThat(both.getCount()).as("a second replica took part").isZero();
    assertThat(on().log(wide)).isEqualTo(logged(100));
    assertThat(hash(wide)).isEqualTo(hash(narrow));
    assertThat(on().events(wide)).isEqualTo(on().events(narrow));
    assertThat(tasks(wide)).isEqualTo(tasks(narrow));
  }

  /// E53: whoever executes a task records its steps.
  @Test
  void recordsStepsOnEveryReplica() {
    var running = new AtomicInteger();
    var both = new CountDownLatch(1);
    NodeRunner work =
        call -> {
          var step = call.steps().begin("one", StepKind.RUN, 1).getFirst();
          if (running.incrementAndGet() > PER_REPLICA) {
            both.countDown();
          }
          both.await(20, TimeUnit.SECONDS);
          running.decrementAndGet();
          call.steps().end(step, new StepEnd.StepResult(Value.of(1)));
          return count(call);
        };
    var run = start(fanOut("steps", 100, work), "steps");

    on().await(run, RunStatus.SUCCEEDED);

    assertThat(both.getCount()).as("a second replica took part").isZero();
    assertThat(on().log(run)).isEqualTo(logged(100));
    assertThat(rows(one.getBean(JdbcClient.class), "task_step")).isEqualTo(100);
  }

  /// P8, P11, P12: whoever executes a task, it sees what the edge that dispatched it and the filter
  /// of its node leave.
  @Test
  void showsTasksTheirViewsOnEveryReplica() {
    var running = new AtomicInteger();
    var both = new CountDownLatch(1);
    NodeRunner work =
        call -> {
          if (running.incrementAndGet() > PER_REPLICA) {
            both.countDown();
          }
          both.await(20, TimeUnit.SECONDS);
          running.decrementAndGet();
          var seen = call.context();
          return TestGraphs.log(
              "%s %s %s"
                  .formatted(
                      seen.template(),
                      seen.variables(),
                      call.get("variables").equals(seen.variables())));
        };
    var run = start(WideGraphs.filtered("filtered", 100, work), "filtered");

    on().await(run, RunStatus.SUCCEEDED);

    assertThat(both.getCount()).as("a second replica took part").isZero();
    assertThat(on().log(run)).hasSize(100).containsOnly("template {\"open.x\":1} true");
  }

  /// What tasks say is heard wherever they run and wherever the client is.
  @Test
  void letsAllTasksBeHeardOnEitherReplica() {
    var running = new AtomicInteger();
    var both = new CountDownLatch(1);
    NodeRunner work =
        call -> {
          if (running.incrementAndGet() > PER_REPLICA) {
            both.countDown();
          }
          both.await(20, TimeUnit.SECONDS);
          TestGraphs.speaks(call, "item " + item(call));
          running.decrementAndGet();
          return count(call);
        };
    var heard = List.of(one, two).stream().collect(toMap(it -> it, _ -> new Heard()));
    cluster.graphs().add(fanOut("heard", 40, work));
    var run =
        on().runs()
            .start(
                on().runs().check(RunActions.request("heard")),
                it -> {
                  heard.forEach((replica, by) -> cluster.on(replica).watch().listen(it, by));
                  await().until(() -> TwoReplicas.isHeardElsewhere(one, it));
                  await().until(() -> TwoReplicas.isHeardElsewhere(two, it));
                })
            .run();
    started.add(run);

    on().await(run, RunStatus.SUCCEEDED);

    assertThat(both.getCount()).as("a second replica took part").isZero();
    heard
        .values()
        .forEach(it -> await().atMost(LONG).untilAsserted(() -> assertThat(it.words).hasSize(40)));
  }

  /// Who says what.
  private static final class Heard implements Consumer<EventView> {
    final Set<String> words = ConcurrentHashMap.newKeySet();

    @Override
    public void accept(EventView view) {
      MessageDelta.of(view.event()).ifPresent(it -> words.add(it.text()));
    }
  }

  /// E12: a bound holds over all replicas, and is used up.
  @Test
  void holdsABoundOverAllReplicas() {
    var running = new AtomicInteger();
    var most = new AtomicInteger();
    var policy = new Node.Policy(RetryPolicy.NEVER, Optional.empty(), Node.OnError.FAIL, 3, false);
    NodeRunner work =
        call -> {
          most.accumulateAndGet(running.incrementAndGet(), Math::max);
          Thread.sleep(10);
          running.decrementAndGet();
          return count(call);
        };
    var run = start(fanOut("bounded", 60, policy, work), "bounded");

    on().await(run, RunStatus.SUCCEEDED);

    assertThat(most.get()).isBetween(2, 3);
    assertThat(on().log(run)).isEqualTo(logged(60));
  }

  /// E12: a bound of one leaves nothing to share.
  @Test
  void keepsANarrowBoundOnOneReplica() {
    var running = new AtomicInteger();
    var most = new AtomicInteger();
    var policy = new Node.Policy(RetryPolicy.NEVER, Optional.empty(), Node.OnError.FAIL, 1, false);
    NodeRunner work =
        call -> {
          most.accumulateAndGet(running.incrementAndGet(), Math::max);
          running.decrementAndGet();
          return count(call);
        };
    var run = start(fanOut("single", 40, policy, work), "single");

    on().await(run, RunStatus.SUCCEEDED);

    assertThat(most).hasValue(1);
    assertThat(on().log(run)).isEqualTo(logged(40));
  }

  /// E31–E36: what fails, asks, waits or is tried again in a slice ends as it would at home.
  @Test
  void keepsFailuresQuestionsAndWaitsOfSlices() {
    var wide = mixed("mixed-wide", false);
    var narrow = mixed("mixed-narrow", true);

    assertThat(on().events(wide)).containsExactlyInAnyOrderElementsOf(on().events(narrow));
    assertThat(on().log(wide)).isEqualTo(on().log(narrow));
    assertThat(hash(wide)).isEqualTo(hash(narrow));
    assertThat(tasks(wide)).isEqualTo(tasks(narrow));
  }

  private String mixed(String name, boolean local) {
    var repaired = new AtomicInteger();
    NodeRunner work =
        call ->
            switch (item(call)) {
              case 3 ->
                  call.resume().isPresent()
                      ? count(call)
                      : new Outcome.Interrupted(InterruptRequest.of("ask", Value.NULL));
              case 17 -> repaired.get() == 0 ? TestGraphs.fails("broken") : count(call);
              case 29 ->
                  call.woken()
                      ? count(call)
                      : new Outcome.Waiting(call.clock().plus(Duration.ofSeconds(2)));
              case 31 -> call.attempt() == 1 ? retryable() : count(call);
              default -> count(call);
            };
    var retry =
        new RetryPolicy(
            2, Duration.ofMillis(10), 1, Duration.ofMillis(10), 0, List.of(), List.of());
    var policy = new Node.Policy(retry, Optional.empty(), Node.OnError.FAIL, 0, false);
    var run = start(fanOut(name, 40, policy, local ? pure(work) : work), name);
    var open = on().await(run, RunStatus.INTERRUPTED).interrupts();
    assertThat(open).hasSize(1);
    on().runs().answer(open.getFirst().id(), Value.of("yes"));
    await().atMost(LONG).until(() -> on().status(run) == RunStatus.FAILED);
    repaired.set(1);
    on().runs().resume(RunActions.resume(run));
    await().atMost(LONG).until(() -> on().status(run) == RunStatus.SUCCEEDED);
    assertThat(on().log(run)).isEqualTo(logged(40));
    return run;
  }

  private static Outcome retryable() {
    return new Outcome.Failed(
        dev.superstep.engine.run.TaskError.retryable("http_503", "as the test wants"));
  }

  /// E10.3, E47, I8: the slices of a dead replica are executed again, from what they had recorded.
  @Test
  void executesTheSlicesOfADeadReplicaAgain() {
    var victim = cluster.start();
    await().atMost(LONG).until(() -> TwoReplicas.hasJoined(victim));
    var calls = new ConcurrentHashMap<Integer, AtomicInteger>();
    var running = new AtomicInteger();
    var gate = new CountDownLatch(1);
    NodeRunner work =
        call -> {
          calls.computeIfAbsent(item(call), _ -> new AtomicInteger()).incrementAndGet();
          running.incrementAndGet();
          gate.await(20, TimeUnit.SECONDS);
          running.decrementAndGet();
          return count(call);
        };
    var run = start(fanOut("lost-slices", 200, work), "lost-slices", two);
    await().atMost(LONG).until(() -> running.get() > 2 * PER_REPLICA);

    TwoReplicas.cutOff(victim);
    gate.countDown();

    on().await(run, RunStatus.SUCCEEDED);
    assertThat(on().log(run)).isEqualTo(logged(200));
    assertThat(calls).hasSize(200);
    assertThat(calls.values().stream().mapToInt(AtomicInteger::get).sum())
        .as("it went on with its two slices, of 16 tasks, until it could not record")
        .isBetween(201, 200 + 2 * 16);
  }

  /// E47, I8: the death of the driver's replica ends its slices, not what they have recorded.
  @Test
  void goesOnWithoutTheReplicaThatDroveTheRun() {
    var victim = cluster.start();
    await().atMost(LONG).until(() -> TwoReplicas.hasJoined(victim));
    var calls = new AtomicInteger();
    var late = new CountDownLatch(1);
    NodeRunner work =
        call -> {
          calls.incrementAndGet();
          if (item(call) >= 150) {
            late.await(20, TimeUnit.SECONDS);
          }
          return count(call);
        };
    pause(one, two);
    var run = start(fanOut("lost-driver", 200, work), "lost-driver", victim);
    await().atMost(LONG).until(() -> on().status(run) == RunStatus.RUNNING);
    resume(one, two);
    await()
        .atMost(LONG)
        .until(() -> rows(on().jdbc(), "recorded_task") >= 100 && calls.get() >= 151);

    TwoReplicas.cutOff(victim);
    late.countDown();

    on().await(run, RunStatus.SUCCEEDED);
    assertThat(on().log(run)).isEqualTo(logged(200));
    assertThat(calls.get()).isLessThan(300);
  }

  private static void pause(ConfigurableApplicationContext... replicas) {
    for (var it : replicas) {
      it.getBean(dev.superstep.schedule.Replica.class).pauseClaims();
    }
  }

  private static void resume(ConfigurableApplicationContext... replicas) {
    for (var it : replicas) {
      it.getBean(dev.superstep.schedule.Replica.class).resumeClaims();
    }
  }

  /// E12, durability.md *The fence*: a cancel reaches the node calls of every replica.
  @Test
  void cancelsOnEveryReplica() {
    var running = new AtomicInteger();
    NodeRunner work =
        call -> {
          running.incrementAndGet();
          try {
            new CountDownLatch(1).await();
            return count(call);
          } finally {
            running.decrementAndGet();
          }
        };
    var run = start(fanOut("cancelled", 100, work), "cancelled");
    await().atMost(LONG).until(() -> running.get() > PER_REPLICA);

    cluster.on(two).runs().cancel(run);

    on().await(run, RunStatus.CANCELLED);
    await().atMost(LONG).until(() -> running.get() == 0);
  }

  /// A replica that is asked to end gives its slices away, and what it has recorded is not done
  /// again.
  @Test
  void handsSlicesOverWhenItIsAskedToEnd() {
    var leaver = cluster.start();
    await().atMost(LONG).until(() -> TwoReplicas.hasJoined(leaver));
    var calls = new ConcurrentHashMap<Integer, AtomicInteger>();
    var running = new AtomicInteger();
    var gate = new CountDownLatch(1);
    NodeRunner work =
        call -> {
          calls.computeIfAbsent(item(call), _ -> new AtomicInteger()).incrementAndGet();
          running.incrementAndGet();
          gate.await(20, TimeUnit.SECONDS);
          return count(call);
        };
    var run = start(fanOut("handed-slices", 200, work), "handed-slices", two);
    await().atMost(LONG).until(() -> running.get() > 2 * PER_REPLICA);

    var closing = Thread.ofVirtual().start(leaver::close);
    gate.countDown();

    on().await(run, RunStatus.SUCCEEDED);
    assertThat(on().log(run)).isEqualTo(logged(200));
    assertThat(on().events(run)).doesNotContain("run.taken_over");
    assertThat(repeated(calls)).isEmpty();
    join(closing);
  }

  private static List<Integer> repeated(Map<Integer, AtomicInteger> calls) {
    return calls.entrySet().stream()
        .filter(it -> it.getValue().get() > 1)
        .map(Map.Entry::getKey)
        .toList();
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /// Rule 10: a slice that nobody can execute is left to the driver, and is no way around failing.
  @Test
  void failsTheRunOfItsOwnTask() {
    NodeRunner work = WideSuperstepTests::failingAt13;
    var run = start(fanOut("failing", 60, work), "failing");

    var view = on().await(run, RunStatus.FAILED);

    assertThat(view.summary().standing().error().orElseThrow().error().code()).isEqualTo("broken");
    assertThat(tasks(run)).filteredOn(it -> it.contains("SUCCEEDED")).hasSize(60);
  }

  private static Outcome failingAt13(NodeCall call) {
    return item(call) == 13 ? TestGraphs.fails("broken") : count(call);
  }
}
