package dev.superstep.run;

import static dev.superstep.run.TestGraphs.asks;
import static dev.superstep.run.TestGraphs.fails;
import static dev.superstep.run.TestGraphs.graph;
import static dev.superstep.run.TestGraphs.log;
import static dev.superstep.run.TestGraphs.says;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.checkpoint.CheckpointRef;
import dev.superstep.engine.node.ChildRequest;
import dev.superstep.engine.node.ChildRuns;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.ChildEnd;
import dev.superstep.engine.run.InterruptRequest;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.state.Change;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Several replicas over one database.
class TakeoverTests {
  private static TwoReplicas cluster;
  private static ConfigurableApplicationContext one;
  private static ConfigurableApplicationContext two;

  @BeforeAll
  static void startTwo() throws Exception {
    cluster = new TwoReplicas();
    one = cluster.start();
    two = cluster.start();
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> TwoReplicas.hasJoined(one) && TwoReplicas.hasJoined(two));
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  /// E47, I3, I8: the superstep in progress is repeated elsewhere, what was committed is not.
  @Test
  void repeatsOnlyTheLostSuperstepWhenAReplicaDies() {
    var committed = new AtomicInteger();
    var open = new AtomicInteger();
    var gate = new CountDownLatch(1);
    cluster
        .graphs()
        .add(
            graph("lost")
                .node(
                    "a",
                    _ -> {
                      committed.incrementAndGet();
                      return log("a");
                    })
                .node(
                    "b",
                    _ -> {
                      if (open.incrementAndGet() == 1) {
                        gate.await();
                      }
                      return log("b");
                    })
                .node("c", says("c"))
                .edge("__start__", "a")
                .edge("a", "b")
                .edge("b", "c"));
    var victim = cluster.start();
    await().atMost(Duration.ofSeconds(20)).until(() -> TwoReplicas.hasJoined(victim));
    pauseOthers();
    var run = cluster.on(victim).start("lost");
    await().atMost(Duration.ofSeconds(20)).until(() -> open.get() == 1);

    TwoReplicas.cutOff(victim);
    resumeOthers();

    var on = cluster.on(one);
    on.await(run, RunStatus.SUCCEEDED);
    gate.countDown();
    assertThat(on.log(run)).containsExactly("a", "b", "c");
    assertThat(committed).hasValue(1);
    assertThat(open).hasValue(2);
    assertThat(on.events(run))
        .containsExactly(
            "run.created",
            "run.started",
            "superstep.committed",
            "run.taken_over",
            "superstep.committed",
            "superstep.committed",
            "run.succeeded");
    var history = one.getBean(RunHistory.class).verify(run, Optional.empty(), Optional.empty());
    assertThat(history.broken()).isEmpty();
    assertThat(history.notChained()).isZero();
    assertThat(history.checkpoints()).isEqualTo(4);
  }

  /// E38: a run that is to pause and loses its replica pauses elsewhere, and begins nothing there.
  @Test
  void pausesWhenTheReplicaOfARunThatIsToPauseDies() {
    var open = new AtomicInteger();
    var gate = new CountDownLatch(1);
    var held =
        graph("held-pause")
            .node(
                "a",
                _ -> {
                  if (open.incrementAndGet() == 1) {
                    gate.await();
                  }
                  return log("a");
                })
            .edge("__start__", "a");
    cluster.graphs().add(held);
    var victim = cluster.start();
    await().atMost(Duration.ofSeconds(20)).until(() -> TwoReplicas.hasJoined(victim));
    var run = cluster.on(victim).start("held-pause");
    await().atMost(Duration.ofSeconds(20)).until(() -> open.get() == 1);
    one.getBean(PauseService.class).pause(run);
    TwoReplicas.cutOff(victim);
    try {
      cluster.on(one).await(run, RunStatus.INTERRUPTED);
    } finally {
      gate.countDown();
    }
    assertThat(open).hasValue(1);
  }

  /// E47, E10.3, E45: a compaction whose summarizer has answered is neither asked again nor folded
  /// twice when its replica dies before the superstep is committed.
  @Test
  void compactsOnceWhenAReplicaDies() {
    var asked = new AtomicInteger();
    var open = new AtomicInteger();
    var gate = new CountDownLatch(1);
    cluster
        .graphs()
        .add(
            graph("compacted")
                .compacts(
                    3,
                    (messages, _) -> {
                      asked.incrementAndGet();
                      return Optional.of("summary of " + messages.size());
                    })
                .node("a", _ -> logs("1", "2", "3", "4", "5"))
                .node(
                    "b",
                    _ -> {
                      if (open.incrementAndGet() == 1) {
                        gate.await();
                      }
                      return log("b");
                    })
                .edge("__start__", "a")
                .edge("a", "b"));
    var victim = cluster.start();
    await().atMost(Duration.ofSeconds(20)).until(() -> TwoReplicas.hasJoined(victim));
    pauseOthers();
    var run = cluster.on(victim).start("compacted");
    var on = cluster.on(one);
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() ->
            on.jdbc()
                    .sql("select count(*) from recorded_task where run = ?")
                    .param(run)
                    .query(Long.class)
                    .single()
                == 1);
    TwoReplicas.cutOff(victim);
    resumeOthers();

    on.await(run, RunStatus.SUCCEEDED);
    gate.countDown();
    assertThat(asked).hasValue(1);
    assertThat(open).hasValue(2);
    assertThat(on.log(run)).hasSize(4).endsWith("4", "5", "b");
    assertThat(on.log(run).getFirst()).contains("summary of 3", "\"covers\":3");
    assertThat(on.events(run))
        .filteredOn(it -> it.startsWith("channel."))
        .containsExactly("channel.compacted");
  }

  private static boolean isParked(RunActions on, String run) {
    return on.jdbc()
        .sql("select status = 'waiting' from run where id = ?")
        .param(run)
        .query(Boolean.class)
        .single();
  }

  /// E41, E47: a child tells its parent behind its last commit, in a transaction of its own. If its
  /// process dies in between, somebody else tells: that it has ended, and that it asks.
  @Test
  void tellsParentsHowTheirChildrenStandWhenAReplicaDiesBeforeItCould() {
    var gate = new CountDownLatch(1);
    var question = asks(InterruptRequest.of("ask", Value.NULL));
    parentOf("ending", _ -> afterwards(gate, log("over")));
    parentOf(
        "asking",
        call ->
            call.resume().isPresent() ? question.run(call) : afterwards(gate, question.run(call)));
    var victim = cluster.start();
    await().atMost(Duration.ofSeconds(20)).until(() -> TwoReplicas.hasJoined(victim));
    pauseOthers();
    var ending = cluster.on(victim).start("parent-of-ending");
    var asking = cluster.on(victim).start("parent-of-asking");
    var on = cluster.on(one);
    for (var parent : List.of(ending, asking)) {
      // Parked, and shown as running while its child runs (C31).
      await().atMost(Duration.ofSeconds(20)).until(() -> isParked(on, parent));
      assertThat(on.status(parent)).isEqualTo(RunStatus.RUNNING);
    }

    TwoReplicas.cutCallsOff(victim);
    gate.countDown();
    awaitChild(ending, RunStatus.SUCCEEDED);
    awaitChild(asking, RunStatus.INTERRUPTED);
    TwoReplicas.cutOff(victim);
    resumeOthers();

    on.await(ending, RunStatus.SUCCEEDED);
    var open = on.await(asking, RunStatus.INTERRUPTED).interrupts();
    assertThat(open).hasSize(1);
    on.runs().answer(open.getFirst().id(), Value.of("answer"));
    on.await(asking, RunStatus.SUCCEEDED);
    assertThat(on.log(ending)).containsExactly("[\"over\"]");
    assertThat(on.log(asking)).containsExactly("[\"answer\"]");
  }

  private static Outcome afterwards(CountDownLatch gate, Outcome outcome) throws Exception {
    gate.await();
    return outcome;
  }

  /// A graph of one node, and one that runs it and appends its log to its own.
  private static void parentOf(String name, NodeRunner child) {
    cluster.graphs().add(graph(name).node("only", child).edge("__start__", "only"));
    var request = new ChildRequest(name, Optional.empty(), ObjectValue.empty());
    cluster
        .graphs()
        .add(
            graph("parent-of-" + name)
                .node(
                    "call",
                    call ->
                        call.childEnd().isPresent()
                            ? told(call.childEnd().get())
                            : new Outcome.Child(
                                one.getBean(ChildRuns.class).prepare(call, request).orElseThrow()))
                .edge("__start__", "call"));
  }

  private static Outcome told(ChildEnd end) {
    return end instanceof ChildEnd.Succeeded(var output, _)
        ? log(output.getOr("log", Value.NULL).toString())
        : fails("child_failed");
  }

  /// The only child.
  private static void awaitChild(String parent, RunStatus status) {
    var on = cluster.on(one);
    var child =
        on.jdbc()
            .sql("select child from child_run where parent = ?")
            .param(parent)
            .query(String.class)
            .single();
    await().atMost(Duration.ofSeconds(20)).until(() -> on.status(child) == status);
  }

  private static Outcome logs(String... words) {
    return new Outcome.Done(NodeResult.of(Change.update("log", ListValue.texts(words))));
  }

  private static void pauseOthers() {
    List.of(one, two).forEach(it -> it.getBean(dev.superstep.schedule.Replica.class).pauseClaims());
  }

  private static void resumeOthers() {
    List.of(one, two)
        .forEach(it -> it.getBean(dev.superstep.schedule.Replica.class).resumeClaims());
  }

  /// C33: runs of one thread, posted on both replicas in turn.
  @Test
  void startsRunsThatWaitForAThreadInOrderOfPosting() {
    var gate = new CountDownLatch(1);
    cluster
        .graphs()
        .add(
            graph("in-turn")
                .node(
                    "a",
                    _ -> {
                      gate.await();
                      return log("a");
                    })
                .edge("__start__", "a"));
    var posted = new ArrayList<String>();
    for (int i = 0; i < 12; i++) {
      posted.add(on(i).runs().start(said("in-turn", "ordered", i, IfBusy.ENQUEUE)).run());
    }

    gate.countDown();

    var on = cluster.on(one);
    posted.forEach(it -> on.await(it, RunStatus.SUCCEEDED));
    assertThat(
            on.jdbc()
                .sql("select id from run where thread_id = 'ordered' order by started_at")
                .query((row, _) -> row.getString(1))
                .list())
        .isEqualTo(posted);
    assertThat(on.log(posted.getLast()))
        .isEqualTo(IntStream.range(0, 12).boxed().flatMap(i -> Stream.of("p" + i, "a")).toList());
  }

  /// C33: whatever meets, the thread holds what the runs that are part of it have said and done, in
  /// their order, and none of them is left behind.
  @Test
  void keepsAThreadInOrderUnderEveryStrategyOnBothReplicas() throws Exception {
    cluster
        .graphs()
        .add(
            graph("mixed")
                .node("a", says("a"))
                .node("b", says("b"))
                .edge("__start__", "a")
                .edge("a", "b"));
    long seed = System.nanoTime();
    System.out.println("keepsAThreadInOrderUnderEveryStrategyOnBothReplicas: seed " + seed);
    var random = new Random(seed);
    var strategies = List.of(IfBusy.values());
    var posts = new ArrayList<Callable<String>>();
    for (int i = 0; i < 80; i++) {
      var ifBusy = strategies.get(random.nextInt(strategies.size()));
      var request = said("mixed", "mixed", i, ifBusy);
      var on = on(random.nextInt(2));
      posts.add(() -> ThreadScenarios.tried(() -> on.runs().start(request).run()));
    }

    var runs = new ArrayList<String>();
    try (var executor = Executors.newFixedThreadPool(8)) {
      for (var post : executor.invokeAll(posts)) {
        runs.add(post.get());
      }
    }

    var on = cluster.on(two);
    for (var run : runs) {
      if (!run.equals("thread_busy")) {
        on.watch().awaitRest(run, RunActions.LONG);
        assertThat(on.status(run)).isIn(RunStatus.SUCCEEDED, RunStatus.CANCELLED);
      }
    }
    var part =
        on.jdbc()
            .sql("select id from run where thread_id = 'mixed' and turn is not null order by turn")
            .query((row, _) -> row.getString(1))
            .list();
    var said = new ArrayList<String>();
    for (var run : part) {
      var log = on.log(run);
      assertThat(log.subList(0, Math.min(said.size(), log.size()))).isEqualTo(said);
      var own = log.subList(said.size(), log.size());
      var all = List.of("p" + runs.indexOf(run), "a", "b");
      boolean whole = on.status(run) == RunStatus.SUCCEEDED;
      assertThat(own).isNotEmpty().isEqualTo(all.subList(0, whole ? 3 : own.size()));
      said.addAll(own);
    }
    assertThat(on.log(part.getLast())).isEqualTo(said);
    assertThat(on.threads().thread("mixed").head().map(CheckpointRef::run))
        .contains(part.getLast());
  }

  private static RunActions on(int replica) {
    return cluster.on(replica % 2 == 0 ? one : two);
  }

  private static StartRun said(String graph, String thread, int number, IfBusy ifBusy) {
    return ThreadScenarios.post(graph, thread, "p" + number, ifBusy);
  }

  /// K19
  @Test
  void countsTwoAnswersGivenAtTheSameMomentOnTwoReplicas() throws Exception {
    var question = InterruptRequest.of("ask", Value.NULL);
    cluster
        .graphs()
        .add(
            graph("both")
                .node("a", asks(question))
                .node("b", asks(question))
                .node("c", says("c"))
                .edge("__start__", "a", "b")
                .join(List.of("a", "b"), "c"));
    var on = cluster.on(one);
    for (int round = 0; round < 5; round++) {
      var run = on.start("both");
      var open = on.await(run, RunStatus.INTERRUPTED).interrupts();

      List<Callable<String>> answers =
          List.of(
              () -> cluster.on(one).runs().answer(open.getFirst().id(), Value.of("1")).run(),
              () -> cluster.on(two).runs().answer(open.getLast().id(), Value.of("2")).run());
      try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
        for (var answer : executor.invokeAll(answers)) {
          assertThat(answer.get()).isEqualTo(run);
        }
      }

      await().atMost(Duration.ofSeconds(20)).until(() -> on.status(run) == RunStatus.SUCCEEDED);
      assertThat(on.log(run)).containsExactly("1", "2", "c");
      assertThat(on.events(run)).filteredOn("superstep.committed"::equals).hasSize(2);
    }
  }

  /// E34: the driver of the other replica hears of it although its superstep is still open.
  @Test
  void handsAnAnswerToADriverOnAnotherReplica() {
    var gate = new CountDownLatch(1);
    var question = InterruptRequest.of("ask", Value.NULL);
    var answered = new AtomicInteger();
    cluster
        .graphs()
        .add(
            graph("open")
                .node(
                    "ask",
                    call -> {
                      call.resume().ifPresent(_ -> answered.incrementAndGet());
                      return asks(question).run(call);
                    })
                .node(
                    "slow",
                    _ -> {
                      gate.await();
                      return log("slow");
                    })
                .edge("__start__", "ask", "slow"));
    var on = cluster.on(one);
    var run = on.start("open");
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() ->
            !on.queries()
                .interrupts(InterruptFilter.of(run), Page.Request.first(5))
                .items()
                .isEmpty());
    var id =
        on.queries()
            .interrupts(InterruptFilter.of(run), Page.Request.first(5))
            .items()
            .getFirst()
            .id();

    other(run).runs().answer(id, Value.of("now"));

    await().atMost(Duration.ofSeconds(10)).until(() -> answered.get() == 1);
    gate.countDown();
    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).containsExactly("now", "slow");
  }

  @Test
  void cancelsARunThatIsDrivenByAnotherReplica() {
    cluster
        .graphs()
        .add(
            graph("stuck")
                .node(
                    "a",
                    _ -> {
                      new CountDownLatch(1).await();
                      return log("never");
                    })
                .edge("__start__", "a"));
    var on = cluster.on(one);
    var run = on.start("stuck");
    await().atMost(Duration.ofSeconds(20)).until(() -> on.status(run) == RunStatus.RUNNING);

    other(run).runs().cancel(run);

    on.await(run, RunStatus.CANCELLED);
  }

  /// A replica that is asked to end gives its runs away, and does not wait for its lease to end.
  @Test
  void handsRunsOverWhenItIsAskedToEnd() {
    var calls = new AtomicInteger();
    var gate = new CountDownLatch(1);
    cluster
        .graphs()
        .add(
            graph("handed")
                .node(
                    "a",
                    _ -> {
                      if (calls.incrementAndGet() == 1) {
                        gate.await();
                      }
                      return log("a");
                    })
                .node("b", says("b"))
                .edge("__start__", "a")
                .edge("a", "b"));
    var leaver = cluster.start();
    await().atMost(Duration.ofSeconds(20)).until(() -> TwoReplicas.hasJoined(leaver));
    pauseOthers();
    var run = cluster.on(leaver).start("handed");
    await().atMost(Duration.ofSeconds(20)).until(() -> calls.get() == 1);
    resumeOthers();

    var health = leaver.getBean("replicaHealthIndicator", HealthIndicator.class);
    assertThat(status(health)).isEqualTo(Status.UP);
    Thread.ofVirtual().start(leaver::close);
    await().until(() -> status(health).equals(Status.DOWN));
    gate.countDown();

    var on = cluster.on(one);
    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).containsExactly("a", "b");
    assertThat(on.events(run)).doesNotContain("run.taken_over");
  }

  /// What does not end in time is cut off; that says nothing about the run (durability.md, rule
  /// 10).
  @Test
  void holdsNothingAgainstRunsThatAReplicaDidNotFinishWhenItWasAskedToEnd() {
    var calls = new AtomicInteger();
    cluster
        .graphs()
        .add(
            graph("late")
                .node(
                    "a",
                    _ -> {
                      if (calls.incrementAndGet() == 1) {
                        new CountDownLatch(1).await();
                      }
                      return log("a");
                    })
                .edge("__start__", "a"));
    var leaver = cluster.start();
    await().atMost(Duration.ofSeconds(20)).until(() -> TwoReplicas.hasJoined(leaver));
    pauseOthers();
    var run = cluster.on(leaver).start("late");
    await().atMost(Duration.ofSeconds(20)).until(() -> calls.get() == 1);
    resumeOthers();

    leaver.close();

    var on = cluster.on(one);
    on.await(run, RunStatus.SUCCEEDED);
    assertThat(calls).hasValue(2);
    assertThat(on.events(run)).doesNotContain("run.taken_over");
  }

  private static Status status(HealthIndicator indicator) {
    return Objects.requireNonNull(indicator.health()).getStatus();
  }

  private static RunActions other(String run) {
    Optional<String> owner =
        one.getBean(JdbcClient.class)
            .sql("select owner from run where id = ?")
            .param(run)
            .query(String.class)
            .optional();
    var first = one.getBean(dev.superstep.schedule.Replica.class).id();
    return cluster.on(owner.equals(first) ? two : one);
  }
}
