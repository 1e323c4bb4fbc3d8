package dev.superstep.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.superstep.engine.node.Inbox;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.node.WorkPermits;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.tenant.Share;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A driver looks at its signals at every superstep (E10, E38), whatever its nodes do: a run of
/// nodes that never block has no other moment to.
@Timeout(60)
class DriverSignalsTests {
  private static final int WHEN = 10;
  private static final int SUPERSTEPS = 300;
  private static final Instant LATER = Instant.parse("2100-01-01T00:00:00Z");

  private final AtomicInteger supersteps = new AtomicInteger();
  private TestRuns.@Nullable TestRun run;

  /// Does something in the tenth superstep.
  private record Stepping(boolean pure, AtomicInteger supersteps, Runnable inTheTenth)
      implements NodeRunner {
    @Override
    public Outcome run(NodeCall call) {
      if (supersteps.incrementAndGet() == WHEN) {
        inTheTenth.run();
      }
      return TestNodes.done();
    }
  }

  /// @param siblings beside the one that counts
  private TestRuns.TestRun loop(boolean pure, int siblings, Runnable inTheTenth) {
    var graph =
        new TestGraph()
            .superstepsMax(SUPERSTEPS)
            .node("a", new Stepping(pure, supersteps, inTheTenth))
            .edge("__start__", "a")
            .edge("a", "a");
    for (int i = 0; i < siblings; i++) {
      var id = "b" + i;
      graph
          .node(id, new Stepping(pure, new AtomicInteger(), () -> {}))
          .edge("a", id)
          .edge("__start__", id);
    }
    return TestRuns.of(graph);
  }

  private void put(Inbox.Signal signal) {
    requireNonNull(run).inbox.put(signal);
  }

  @ParameterizedTest
  @CsvSource({"true, 0", "true, 3", "false, 0", "false, 12"})
  void handsBackALoopBehindTheSuperstepInProgress(boolean pure, int siblings) {
    var looping = loop(pure, siblings, () -> put(new Inbox.Signal.Drain(LATER)));
    run = looping;

    assertThat(looping.drive()).isEqualTo(RunStatus.QUEUED);

    assertThat(looping.last().superstep()).isEqualTo(WHEN);
    assertThat(supersteps).hasValue(WHEN);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void readsAnswersAndCancelsBehindTheSuperstepInProgress(boolean pure) {
    var reads = new AtomicInteger();
    var looping = loop(pure, 0, () -> put(new Inbox.Signal.Nudge()));
    run = looping;

    assertThat(looping.drive(new CountingStore(looping.runs().store, reads)))
        .isEqualTo(RunStatus.FAILED);

    assertThat(looping.errorCode()).isEqualTo("max_supersteps_exceeded");
    assertThat(reads).hasValue(1);
  }

  /// A run that another replica has taken over.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void dropsALoopThatIsInterrupted(boolean pure) {
    var driver = Thread.currentThread();
    var looping = loop(pure, 0, driver::interrupt);
    run = looping;

    assertThatThrownBy(looping::drive).hasCauseInstanceOf(InterruptedException.class);

    assertThat(supersteps).hasValue(WHEN);
  }

  /// Two runs that never end share one permit.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void hasOthersWorkWhoseTurnItIs(boolean pure) throws InterruptedException {
    var nanos = new AtomicLong();
    var permits = new WorkPermits(1, Duration.ofMinutes(1), nanos::get);
    var order = new CopyOnWriteArrayList<String>();
    var other =
        Thread.ofVirtual()
            .unstarted(() -> permits.begin(new Share("acme", "b"), () -> order.add("b")));
    var looping =
        loop(
            pure,
            0,
            () -> {
              other.start();
              await().until(() -> permits.queued() == 1 || order.contains("b"));
              nanos.addAndGet(Duration.ofSeconds(1).toNanos());
            });

    var driver =
        Thread.ofVirtual()
            .start(() ->
                permits.begin(
                    new Share("acme", "a"),
                    () -> {
                      looping.drive();
                      order.add("a");
                    }));

    other.join();
    driver.join();
    assertThat(order).isEqualTo(List.of("b", "a"));
  }
}
