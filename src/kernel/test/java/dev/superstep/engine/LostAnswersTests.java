package dev.superstep.engine;

import static dev.superstep.engine.TestNodes.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.node.CheckpointStore;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.LeaseLostException;
import dev.superstep.engine.run.RunSignals;
import dev.superstep.state.value.ObjectValue;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// Answers that are dropped with their driver before they are on disk: their calls are made again,
/// and that is told.
class LostAnswersTests {
  private final TestRuns runs = new TestRuns();
  private final List<String> lost = new CopyOnWriteArrayList<>();
  private final CountDownLatch recorded = new CountDownLatch(1);

  /// `b` ends when the answer of `a` is on disk, if it ever is.
  private TestRuns.TestRun run() {
    var graph =
        new TestGraph()
            .node("a", _ -> set("a", 1))
            .node(
                "b",
                _ -> {
                  recorded.await();
                  return set("b", 1);
                })
            .edge("__start__", "a", "b");
    var run = runs.start(graph.program(), ObjectValue.empty());
    run.observer =
        (_, type, task, _) -> {
          if (type.equals("task.repeated")) {
            lost.add(task.node().value());
          }
        };
    return run;
  }

  @Test
  void tellsOfAnAnswerThatCouldNotBeRecorded() {
    var run = run();

    assertThatThrownBy(() -> run.drive(new TakenOver(true))).isInstanceOf(LeaseLostException.class);

    assertThat(lost).containsExactly("a");
  }

  @Test
  void tellsOnlyOfAnswersThatAreNotOnDisk() {
    var run = run();

    assertThatThrownBy(() -> run.drive(new TakenOver(false)))
        .isInstanceOf(LeaseLostException.class);

    assertThat(lost).containsExactly("b");
  }

  @Test
  void tellsOfNothingWhenAllIsWell() {
    recorded.countDown();
    var run = run();

    run.drive();

    assertThat(lost).isEmpty();
  }

  /// Refuses what the driver writes, from its first record or its first commit on.
  private final class TakenOver implements CheckpointStore {
    private final boolean records;

    TakenOver(boolean records) {
      this.records = records;
    }

    @Override
    public CommitResult commit(Lease lease, List<Commit> commits) {
      throw new LeaseLostException(lease);
    }

    @Override
    public void record(Lease lease, List<TaskRecord> outcomes, List<Event> events) {
      if (records) {
        throw new LeaseLostException(lease);
      }
      runs.store.record(lease, outcomes, events);
      recorded.countDown();
    }

    @Override
    public RunSignals signals(Lease lease) {
      return runs.store.signals(lease);
    }

    @Override
    public RunSignals expire(Lease lease, List<String> interrupts) {
      return runs.store.expire(lease, interrupts);
    }
  }
}
