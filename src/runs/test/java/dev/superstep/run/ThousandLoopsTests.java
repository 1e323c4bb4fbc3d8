package dev.superstep.run;

import static dev.superstep.run.RunActions.fresh;
import static dev.superstep.run.RunActions.request;
import static dev.superstep.run.RunActions.with;
import static dev.superstep.run.TestGraphs.graph;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.graph.Breakpoints;
import dev.superstep.graph.Limits;
import dev.superstep.run.RunsAlone.TestCallers;
import dev.superstep.state.Change;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/// A replica all of whose thousand places have runs of one caller that never end and never block.
@ExtendWith(OutputCaptureExtension.class)
class ThousandLoopsTests {
  private static final int LOOPS = 1_000;
  private static final Duration SOON = Duration.ofMinutes(2);
  private static TwoReplicas cluster;
  private static ConfigurableApplicationContext replica;
  private static RunActions on;

  /// Does nothing, on the driver's thread.
  private static final class Nothing implements NodeRunner {
    @Override
    public Outcome run(NodeCall call) {
      return new Outcome.Done(NodeResult.of(Change.NONE));
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
            "--superstep.runs.max=" + LOOPS, "--superstep.lease=30s", "--superstep.drain=20s");
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
    var loop = fresh("loop");
    cluster
        .graphs()
        .add(graph(loop).node("a", new Nothing()).edge("__start__", "a").edge("a", "a"));
    var one = fresh("one");
    cluster.graphs().add(graph(one).node("a", new Nothing()).edge("__start__", "a"));
    TestCallers.as(
        "many",
        () -> {
          for (int i = 0; i < LOOPS + 200; i++) {
            on.runs().start(with(request(loop), endless()));
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

    assertThat(took).allMatch(it -> it.compareTo(Duration.ofSeconds(5)) < 0);
    assertThat(log).doesNotContain("was not handed back in time");
    var jdbc = cluster.on(cluster.start()).jdbc();
    assertThat(
            jdbc.sql("select count(*) from run where takeovers > 0 or status = 'failed'")
                .query(Long.class)
                .single())
        .isZero();
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
    return on.jdbc().sql("select count(*) from run where " + condition).query(Long.class).single();
  }
}
