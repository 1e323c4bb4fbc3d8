package dev.superstep.engine.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.SuperstepLoop;
import dev.superstep.engine.TestGraph;
import dev.superstep.engine.TestNodes;
import dev.superstep.engine.TestPorts;
import dev.superstep.engine.TestRuns;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.state.value.ObjectValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What observers of a run learn of supersteps that other replicas help with.
class SpreadSuperstepTests {
  private static final int THRESHOLD = 10;

  private final List<String> told = new ArrayList<>();

  private final RunObserver observer =
      new RunObserver() {
        @Override
        public void observe(String run, String type, TaskKey task, ObjectValue data) {
          // not of this test
        }

        @Override
        public void spread(String run) {
          told.add("spread " + run);
        }
      };

  private final Slicing slicing =
      new Slicing() {
        @Override
        public int threshold() {
          return THRESHOLD;
        }

        @Override
        public Optional<Slices> cut(Lease lease, Wide wide) {
          told.add("cut");
          return Optional.empty();
        }
      };

  private String drive(int tasks) throws InterruptedException {
    var graph =
        new TestGraph()
            .node("plan", _ -> TestNodes.sendItems("work", tasks))
            .node("work", _ -> TestNodes.done())
            .edge("__start__", "plan");
    var run = TestRuns.of(graph);
    var runs = run.runs();
    var ports =
        TestPorts.of(runs.store, TestPorts.pool(100), runs.clock)
            .observer(observer)
            .slicing(slicing)
            .ports();
    var id = run.header.id();
    var status =
        new SuperstepLoop(ports, runs.limits)
            .drive(run.program, runs.store.claim(id), new LocalInbox(runs.clock));
    assertThat(status).isEqualTo(RunStatus.SUCCEEDED);
    return id;
  }

  /// Else a model that another replica calls would not know that its text is wanted.
  @Test
  void tellsItsObserverBeforeOthersExecuteItsTasks() throws InterruptedException {
    var id = drive(THRESHOLD);

    assertThat(told).containsExactly("spread " + id, "cut");
  }

  @Test
  void saysNothingOfOthers() throws InterruptedException {
    drive(THRESHOLD - 1);

    assertThat(told).isEmpty();
  }
}
