package dev.superstep.engine.node;

import static dev.superstep.engine.TestNodes.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.engine.TestGraph;
import dev.superstep.engine.TestRuns;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.state.value.ObjectValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// Those who watch a run while it runs.
class LiveEventSinkTests {
  private final List<String> told = Collections.synchronizedList(new ArrayList<>());

  /// E31: the words of an attempt that timed out must not get among those of the next one.
  @Test
  void hearsNothingOfAnAttemptThatNobodyWaitsFor() {
    var late = new CountDownLatch(1);
    NodeRunner slowOnce =
        call -> {
          call.watchers().publish("said", ObjectValue.empty());
          if (call.attempt() == 1) {
            try {
              new CountDownLatch(1).await();
            } catch (InterruptedException e) {
              call.watchers().publish("late", ObjectValue.empty());
              late.countDown();
              throw e;
            }
          }
          return set("x", 1);
        };
    var run =
        TestRuns.of(
            new TestGraph()
                .node(
                    "a",
                    it -> it.attempts(2, Duration.ofMillis(1)).timeout(Duration.ofMillis(50)),
                    slowOnce)
                .edge("__start__", "a"));
    run.observer = (_, type, _, data) -> told.add(type + " " + data);

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);

    await().until(() -> late.getCount() == 0);
    assertThat(told)
        .containsExactly(
            "task.started {\"attempt\":1}",
            "said {}",
            "task.retrying {\"attempt\":1}",
            "task.started {\"attempt\":2}",
            "said {}",
            "task.succeeded {\"attempt\":2}");
  }

  @Test
  void costsNothingWhenThereAreNone() {
    var any = Collections.synchronizedList(new ArrayList<Boolean>());
    var run =
        TestRuns.of(
            new TestGraph()
                .node(
                    "a",
                    call -> {
                      any.add(call.watchers().hasSubscribers());
                      return set("x", 1);
                    })
                .edge("__start__", "a"));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(any).containsExactly(false);
  }
}
