package dev.superstep.engine.node;

import static dev.superstep.engine.TestNodes.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.engine.TestGraph;
import dev.superstep.engine.TestRuns;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.Task;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
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
                    it -> it.attempts(2, Duration.ofMillis(1)).timeout(Duration.ofMillis(500)),
                    slowOnce)
                .edge("__start__", "a"));
    var attempts = Collections.synchronizedSet(new HashSet<Value>());
    run.observer =
        (_, type, _, data) -> {
          told.add(type + " " + data.minus(LiveEventSink.ATTEMPT_ID));
          Optional.ofNullable(data.get(LiveEventSink.ATTEMPT_ID)).ifPresent(attempts::add);
        };

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);

    await().until(() -> late.getCount() == 0);
    assertThat(told)
        .containsExactly(
            "task.started {\"attempt\":1}",
            "said {}",
            "said {}",
            "task.retrying {\"attempt\":1}",
            "task.started {\"attempt\":2}",
            "said {}",
            "said {}",
            "task.succeeded {\"attempt\":2}");
    assertThat(attempts).as("ids of attempts").hasSize(2);
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

  /// Notes which texts are begun and dropped.
  private final class TextObserver implements RunObserver {
    @Override
    public void observe(String run, String type, TaskKey task, ObjectValue data) {
      // not of interest
    }

    @Override
    public LiveText begin(String run, TaskKey task, int attempt, Optional<String> messageId) {
      var name = "%d %s".formatted(attempt, messageId.orElse("none"));
      told.add("begins " + name);
      return new LiveText() {
        @Override
        public void append(String piece) {
          told.add(piece);
        }

        @Override
        public void close() {
          told.add("drops " + name);
        }
      };
    }

    @Override
    public void ended(String run, List<Task> tasks) {
      told.add("ended " + tasks.stream().map(it -> it.key().toString()).toList());
    }
  }

  private TestRuns.TestRun writing(NodeRunner writer) {
    var run =
        TestRuns.of(
            new TestGraph()
                .node("a", it -> it.attempts(2, Duration.ofMillis(1)), writer)
                .edge("__start__", "a"));
    run.observer = new TextObserver();
    return run;
  }

  /// Pieces of a text that is repeated must not be appended to those before; the id that is stored
  /// is that of an undisturbed run.
  @Test
  void namesTheMessageInTheFirstTextOnly() {
    var run =
        writing(call -> {
          call.watchers().begin(Optional.of("m")).append("one");
          call.watchers().begin(Optional.of("m")).append("two");
          call.watchers().begin(Optional.empty()).append("three");
          if (call.attempt() == 1) {
            throw new IllegalStateException("as a test wants it");
          }
          return set("x", 1);
        });

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);

    assertThat(told)
        .containsExactly(
            "begins 1 m",
            "one",
            "begins 1 m-1-2",
            "two",
            "begins 1 none",
            "three",
            "drops 1 none",
            "begins 2 m-2-1",
            "one",
            "begins 2 m-2-2",
            "two",
            "begins 2 none",
            "three",
            "ended [1:a]");
  }

  /// E5
  @Test
  void givesEachAttemptAndEachRunTheSameMessageId() {
    var ids = Collections.synchronizedSet(new HashSet<String>());
    NodeRunner runner =
        call -> {
          ids.add(call.messageId());
          if (call.attempt() == 1) {
            throw new IllegalStateException("as a test wants it");
          }
          return set("x", 1);
        };

    assertThat(writing(runner).drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(writing(runner).drive()).isEqualTo(RunStatus.SUCCEEDED);

    assertThat(ids).hasSize(1).allMatch(it -> it.matches("m-[0-9a-f]{16}"));
  }
}
