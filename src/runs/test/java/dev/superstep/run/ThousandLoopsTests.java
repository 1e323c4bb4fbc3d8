package dev.superstep.run;

import static dev.superstep.run.RunActions.fresh;
import static dev.superstep.run.RunActions.request;
import static dev.superstep.run.RunActions.with;
import static dev.superstep.run.TestGraphs.graph;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.engine.node.ChildRequest;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.graph.Breakpoints;
import dev.superstep.graph.Limits;
import dev.superstep.run.RunsAlone.TestCallers;
import dev.superstep.state.Change;
import dev.superstep.state.value.ObjectValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/// A replica all of whose thousand places have runs of one caller that never end: most never block,
/// others call services or begin children.
@ExtendWith(OutputCaptureExtension.class)
class ThousandLoopsTests {
  private static final int LOOPS = 1_000;
  private static final int STARTED = LOOPS + 200;

  /// Of ten loops: most are nothing but supersteps, and one begins children.
  private static final String KINDS = "0000011223";

  private static final Outcome DONE = new Outcome.Done(NodeResult.of(Change.NONE));
  private static final Duration SOON = Duration.ofMinutes(2);
  private static TwoReplicas cluster;
  private static ConfigurableApplicationContext replica;
  private static RunActions on;

  /// Does nothing, on the driver's thread.
  private static final class Nothing implements NodeRunner {
    @Override
    public Outcome run(NodeCall call) {
      return DONE;
    }

    @Override
    public boolean pure() {
      return true;
    }
  }

  @BeforeAll
  static void start() throws Exception {
    cluster =
        new TwoReplicas(
            "--superstep.runs.max=" + LOOPS,
            "--superstep.lease=30s",
            "--superstep.drain=20s",
            "--spring.datasource.hikari.connection-timeout=10000",
            "--superstep.pools.wait-max=10s");
    replica = cluster.start();
    on = cluster.on(replica);
    await().atMost(SOON).until(() -> TwoReplicas.hasJoined(replica));
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void leavesOthersTheirShareAndHandsAllOfThemBack(CapturedOutput log) {
    var one = looped("one", new Nothing(), "__end__");
    var loops =
        List.of(
            looped("loop-nothing", new Nothing(), "a"),
            looped("loop-task", _ -> DONE, "a"),
            looped("loop-call", _ -> call(), "a"),
            looped("loop-child", call -> child(call, one), "a"));
    TestCallers.as(
        "many",
        () -> {
          for (int i = 0; i < STARTED; i++) {
            on.runs().start(with(request(loops.get(KINDS.charAt(i % 10) - '0')), endless()));
          }
          return 0;
        });
    await().atMost(SOON).until(() -> count("status = 'running'") >= LOOPS);

    var took = new ArrayList<Duration>();
    for (int i = 0; i < 20; i++) {
      long begun = System.nanoTime();
      on.await(TestCallers.as("few", () -> on.start(one)), RunStatus.SUCCEEDED);
      took.add(Duration.ofNanos(System.nanoTime() - begun));
    }
    System.out.println("runs of another caller beside 1,000 loops took " + took);
    replica.close();

    assertThat(took).allMatch(it -> it.compareTo(Duration.ofSeconds(10)) < 0);
    assertThat(log).doesNotContain("was not handed back in time");
    assertThat(count("graph like 'loop-%' and status = 'queued' and owner is null"))
        .isEqualTo(STARTED - count("graph like 'loop-%' and status = 'waiting'"));
    assertThat(count("owner is not null and status in ('running', 'cancelling')")).isZero();
    assertThat(count("takeovers > 0 or status = 'failed'")).isZero();
  }

  private static String looped(String name, NodeRunner runner, String next) {
    var graph = fresh(name);
    cluster.graphs().add(graph(graph).node("a", runner).edge("__start__", "a").edge("a", next));
    return graph;
  }

  /// Of a model, a tool or a service: it waits.
  private static Outcome call() throws InterruptedException {
    var _ = new CountDownLatch(1).await(50, TimeUnit.MILLISECONDS);
    return DONE;
  }

  private static Outcome child(NodeCall call, String graph) throws InterruptedException {
    var request = new ChildRequest(graph, Optional.empty(), ObjectValue.empty());
    return call.childEnd().isPresent()
        ? DONE
        : new Outcome.Child(call.prepareChild(request).orElseThrow());
  }

  private static StartRun.Options endless() {
    var limits =
        new Limits(
            Optional.of(100_000),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    return new StartRun.Options(limits, Breakpoints.NONE, 0, Optional.empty());
  }

  private static long count(String condition) {
    return cluster
        .jdbc()
        .sql("select count(*) from run where " + condition)
        .query(Long.class)
        .single();
  }
}
