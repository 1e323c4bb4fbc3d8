package dev.superstep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.run.RunHead;
import dev.superstep.engine.run.RunSignals;
import dev.superstep.engine.run.RunStatus;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/// People who pause a simulated run at any moment, take that back, have it go on, or step. What
/// they have been promised is checked behind each commit.
final class SimulatedPauses {
  private static final int PAUSES_MAX = 12;

  private final InMemoryCheckpointStore store;
  private final String run;
  private final Random random;
  private final Consumer<String> count;
  private int requested;
  private int last = RunSignals.NEVER;
  private boolean steps;

  SimulatedPauses(
      InMemoryCheckpointStore store, String run, Random random, Consumer<String> count) {
    this.store = store;
    this.run = run;
    this.random = random;
    this.count = count;
  }

  boolean isPaused() {
    var head = store.head(run);
    return head.status() == RunStatus.INTERRUPTED
        && head.breakpoint().filter(RunHead.Breakpoint::isPause).isPresent();
  }

  /// Somebody asks for a pause, or takes that back, right before a commit.
  void meanwhile() {
    if (isPaused() || !store.head(run).status().active()) {
      return;
    }
    switch (random.nextInt(5)) {
      case 0 -> {
        if (requested < PAUSES_MAX) {
          requested++;
          count.accept("pause");
          last = Math.min(last, superstep() + 1);
          steps = false;
          store.pause(run, 0);
        }
      }
      case 1 -> {
        if (store.pauseRequested(run)) {
          count.accept("pause withdrawn");
          goesOn();
        }
      }
      default -> {}
    }
  }

  /// Nothing is committed behind a pause, and no superstep behind the one in flight, but for those
  /// that a driver had behind it before it knew.
  void check(RunHead before, List<Commit> commits) {
    boolean wasPaused =
        before.status() == RunStatus.INTERRUPTED
            && before.breakpoint().filter(RunHead.Breakpoint::isPause).isPresent();
    assertThat(wasPaused).as("a paused run commits nothing").isFalse();
    if (store.head(run).status() == RunStatus.SUCCEEDED) {
      return;
    }
    if (!commits.isEmpty() && commits.getLast().passesPause() && store.pauseRequested(run)) {
      count.accept("pause behind deferred commits");
      last = Math.max(last, superstep());
    }
    assertThat(superstep()).as("supersteps of a run that pauses").isLessThanOrEqualTo(last);
  }

  private int superstep() {
    return store.checkpoints(run).getLast().after().superstep();
  }

  private void goesOn() {
    last = RunSignals.NEVER;
    steps = false;
    store.pause(run, RunSignals.NEVER);
  }

  /// Has a paused run go on.
  ///
  /// @return false if it is not paused
  boolean goOn() {
    if (!isPaused()) {
      return false;
    }
    if (steps) {
      assertThat(superstep()).as("a step").isEqualTo(last);
    }
    store.pass(run);
    goesOn();
    if (random.nextInt(3) > 0) {
      count.accept("step");
      last = superstep() + 1;
      steps = true;
      store.pause(run, last);
    }
    return true;
  }
}
