package dev.superstep.engine;

import static dev.superstep.engine.TestNodes.done;
import static dev.superstep.engine.TestNodes.sendItems;
import static dev.superstep.engine.TestNodes.set;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.EngineLimits;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskParkedException;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Tasks that wait for a turn at something that they share with others.
class ParkedTaskTests {
  private static final Duration HOUR = Duration.ofHours(1);

  private final TestRuns runs =
      new TestRuns(
          new EngineLimits(100, 20, 10_000, 100_000, 16L << 20, 4L << 20, Duration.ofDays(7)));

  private static TaskParkedException full(NodeCall call, Duration pause) {
    return new TaskParkedException("no room", call.clock().plus(pause));
  }

  @Test
  void goesOnFromWhatItHasKeptAsTheSameAttempt() {
    var asked = new CopyOnWriteArrayList<String>();
    var attempts = new CopyOnWriteArrayList<Integer>();
    var until = new CopyOnWriteArrayList<Instant>();
    var run =
        runs.start(
            new TestGraph()
                .node(
                    "a",
                    call -> {
                      attempts.add(call.attempt());
                      if (call.parts().kept("first").isEmpty()) {
                        asked.add("first");
                        call.parts().keep("first", Value.of("answer"));
                        until.add(call.clock().plus(HOUR));
                        throw new TaskParkedException("no room", until.getFirst());
                      }
                      return set("got", call.parts().kept("first").orElseThrow());
                    })
                .edge("__start__", "a")
                .program(),
            ObjectValue.empty());

    assertThat(run.drive()).isEqualTo(RunStatus.WAITING);
    assertThat(run.head().wakesAt()).get().isEqualTo(until.getFirst());
    runs.pass(HOUR.plusMinutes(1));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.state("got")).isEqualTo(Value.of("answer"));
    assertThat(asked).hasSize(1);
    assertThat(attempts).containsExactly(1, 1);
  }

  /// What a failed attempt was answered is no use to the next.
  @Test
  void forgetsWhatItHasKeptWhenTheAttemptFails() {
    var seen = new CopyOnWriteArrayList<Boolean>();
    var run =
        runs.start(
            new TestGraph()
                .node(
                    "a",
                    it -> it.attempts(2, Duration.ofMillis(1)),
                    call -> {
                      boolean kept = call.parts().kept("first").isPresent();
                      seen.add(kept);
                      call.parts().keep("first", Value.TRUE);
                      return switch (seen.size()) {
                        case 1 -> throw full(call, Duration.ofMillis(1));
                        case 2 -> new Outcome.Failed(TaskError.retryable("busy", "again"));
                        default -> done();
                      };
                    })
                .edge("__start__", "a")
                .program(),
            ObjectValue.empty());

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(seen).containsExactly(false, true, false);
  }

  /// Those behind would only wait as well: they have not begun, and cost nothing.
  @Test
  void startsNoFurtherTaskOfANodeWhileManyAreParked() {
    var room = new AtomicInteger();
    var began = ConcurrentHashMap.<String>newKeySet();
    var done = new CopyOnWriteArrayList<String>();
    var run =
        runs.start(
            new TestGraph()
                .node("send", _ -> sendItems("work", 100))
                .node(
                    "work",
                    call -> {
                      var task = String.valueOf(call.task().key().dispatchId());
                      began.add(task);
                      if (room.getAndDecrement() <= 0) {
                        throw full(call, HOUR);
                      }
                      done.add(task);
                      return done();
                    })
                .edge("__start__", "send")
                .program(),
            ObjectValue.empty());

    assertThat(run.drive()).isEqualTo(RunStatus.WAITING);
    int first = began.size();
    assertThat(first).isLessThan(100);

    var sizes = new ArrayList<Integer>();
    for (int i = 0; i < 100 && run.head().status() == RunStatus.WAITING; i++) {
      room.set(10);
      runs.pass(HOUR.plusMinutes(1));
      run.drive();
      sizes.add(done.size());
    }

    assertThat(run.head().status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(done).doesNotHaveDuplicates().hasSize(100);
    assertThat(sizes).startsWith(10, 20);
  }
}
