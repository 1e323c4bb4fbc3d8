package dev.superstep.run;

import static dev.superstep.run.TestGraphs.asks;
import static dev.superstep.run.TestGraphs.graph;
import static dev.superstep.run.TestGraphs.log;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.engine.checkpoint.StepRecord.StepEnd;
import dev.superstep.engine.checkpoint.StepRecord.StepKind;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.run.InterruptRequest;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/// Answers and steps where several replicas drive a run in turn.
class AnswerTakeoverTests {
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

  /// E34, E47: an answer that was accepted counts, although the replica that took it, and with it
  /// the run, dies before it has committed anything.
  @Test
  void goesOnWithAnAnswerWhoseReplicaDies() {
    var begun = new AtomicInteger();
    var gate = new CountDownLatch(1);
    var question = asks(InterruptRequest.of("ask", Value.NULL));
    cluster
        .graphs()
        .add(
            graph("answered")
                .node(
                    "a",
                    call -> {
                      if (call.resume().isPresent() && begun.incrementAndGet() == 1) {
                        gate.await();
                      }
                      return question.run(call);
                    })
                .edge("__start__", "a"));
    var victim = cluster.start();
    await().atMost(Duration.ofSeconds(20)).until(() -> TwoReplicas.hasJoined(victim));
    pauseOthers();
    var there = cluster.on(victim);
    var run = there.start("answered");
    var open = there.await(run, RunStatus.INTERRUPTED).interrupts();

    there.runs().answer(open.getFirst().id(), Value.of("yes"));
    await().atMost(Duration.ofSeconds(20)).until(() -> begun.get() == 1);
    TwoReplicas.cutOff(victim);
    resumeOthers();

    var on = cluster.on(one);
    on.await(run, RunStatus.SUCCEEDED);
    gate.countDown();
    assertThat(on.log(run)).containsExactly("yes");
    assertThat(begun).hasValue(2);
    assertThat(on.events(run))
        .containsExactly(
            "run.created",
            "run.started",
            "task.interrupted",
            "run.interrupted",
            "run.resumed",
            "run.taken_over",
            "superstep.committed",
            "run.succeeded");
  }

  /// E41, E35: where a run asks, and where it is answered, are two places.
  @Test
  void goesOnWhereARunIsAnsweredThatAnotherReplicaHasHeld() {
    var question = asks(InterruptRequest.of("ask", Value.NULL));
    cluster
        .graphs()
        .add(
            graph("answered-in-turns")
                .node("a", question)
                .node("b", question)
                .node("c", question)
                .edge("__start__", "a")
                .edge("a", "b")
                .edge("b", "c"));
    var run = cluster.on(one).start("answered-in-turns");
    for (var there : List.of(one, two, one)) {
      var on = cluster.on(there);
      var open = on.await(run, RunStatus.INTERRUPTED).interrupts();
      on.runs().answer(open.getFirst().id(), Value.of("yes"));
    }

    var on = cluster.on(two);
    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).containsExactly("yes", "yes", "yes");
  }

  private static Value step(NodeCall call, String name, Callable<Value> body) throws Exception {
    var step = call.steps().begin(name, StepKind.RUN, 1).getFirst();
    var end =
        step.end().isPresent()
            ? step.end().get()
            : call.steps().end(step, new StepEnd.StepResult(body.call()));
    return end instanceof StepEnd.StepResult(var result) ? result : Value.NULL;
  }

  /// E53: a recorded step is not made again where its replica dies, the one in flight is, and what
  /// the dead one still records is refused.
  @Test
  void repeatsOnlyTheStepInFlightWhenAReplicaDies() {
    var first = new AtomicInteger();
    var second = new AtomicInteger();
    var gate = new CountDownLatch(1);
    cluster
        .graphs()
        .add(
            graph("steps")
                .node(
                    "a",
                    call -> {
                      var one = step(call, "one", () -> Value.of(first.incrementAndGet()));
                      var two =
                          step(
                              call,
                              "two",
                              () -> {
                                int made = second.incrementAndGet();
                                if (made == 1) {
                                  gate.await();
                                }
                                return Value.of(made);
                              });
                      return log(Canonical.text(one) + " " + Canonical.text(two));
                    })
                .edge("__start__", "a"));
    var victim = cluster.start();
    await().atMost(Duration.ofSeconds(20)).until(() -> TwoReplicas.hasJoined(victim));
    pauseOthers();
    var run = cluster.on(victim).start("steps");
    await().atMost(Duration.ofSeconds(20)).until(() -> second.get() == 1);

    TwoReplicas.cutOff(victim);
    resumeOthers();

    var on = cluster.on(one);
    on.await(run, RunStatus.SUCCEEDED);
    gate.countDown();
    assertThat(on.log(run)).containsExactly("1 2");
    assertThat(first).hasValue(1);
    assertThat(second).hasValue(2);
  }

  private static void pauseOthers() {
    List.of(one, two).forEach(it -> it.getBean(dev.superstep.schedule.Replica.class).pauseClaims());
  }

  private static void resumeOthers() {
    List.of(one, two)
        .forEach(it -> it.getBean(dev.superstep.schedule.Replica.class).resumeClaims());
  }
}
