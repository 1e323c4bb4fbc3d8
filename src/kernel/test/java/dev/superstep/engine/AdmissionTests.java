package dev.superstep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.run.Dispatch;
import dev.superstep.engine.run.Task;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.DispatchPolicy;
import dev.superstep.graph.Node;
import dev.superstep.graph.NodeId;
import dev.superstep.graph.RetryPolicy;
import dev.superstep.state.value.ObjectValue;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// E41, E12: with how many children of a node still moving the end of one is worth a look.
class AdmissionTests {
  private final Looked slots = new Looked();

  private void tasks(String node, int count, int concurrencyMax) {
    tasks(node, count, concurrencyMax, null);
  }

  /// @param needed how many dispatches of all nodes have to succeed; null: all
  private void tasks(String node, int count, int concurrencyMax, @Nullable Integer needed) {
    var policy =
        new Node.Policy(
            RetryPolicy.NEVER, Optional.empty(), Node.OnError.FAIL, concurrencyMax, false);
    var id = new NodeId(node);
    var declared = new Node(id, "test", ObjectValue.empty(), policy, Node.Routing.DEFAULT);
    for (int i = 0; i < count; i++) {
      var key = new TaskKey(1, id, "d" + i);
      var dispatch = needed == null ? null : dispatch(key, needed);
      slots.all.add(new OpenTask(slots.size(), new Task(key, declared, dispatch)));
    }
  }

  private static Dispatch dispatch(TaskKey key, int needed) {
    var policy = new DispatchPolicy(needed, Optional.empty(), 0);
    var by = new TaskKey(0, new NodeId("plan"), null);
    return new Dispatch(
        "d" + key, key.node(), ObjectValue.empty(), ObjectValue.empty(), by, policy);
  }

  private List<Integer> wakesBelow(int runMax) {
    var graph = new TestGraph().program().graph();
    var admission = new Admission(runMax, slots, graph, FanOuts.of(graph, slots.all));
    return slots.all.stream().map(admission::wakesBelow).distinct().toList();
  }

  /// A wide fan-out must not pay for its width with each of its tasks.
  @Test
  void looksAtEachTaskOfAWideSuperstepOnce() {
    tasks("a", 5_000, 20);

    assertThat(wakesBelow(10_000)).containsExactly(10);
    assertThat(slots.looks).isLessThanOrEqualTo(5_000);
  }

  @Test
  void countsTheTasksOfEachNodeForItself() {
    tasks("a", 30, 20);
    tasks("b", 20, 20);
    tasks("c", 6, 4);

    assertThat(wakesBelow(100)).containsExactly(10, 0, 56);
  }

  /// Of six, two have to succeed: one of each node may do.
  @Test
  void looksAtEachSuccessWithWhichThoseOfOtherNodesMayDecide() {
    tasks("a", 3, 0, 2);
    tasks("b", 3, 0, 2);

    assertThat(wakesBelow(100)).containsExactly(2);
  }

  /// Of five, four have to succeed: of the first node two at least, of the other one one.
  @Test
  void looksAtNoSuccessThatCannotDecide() {
    tasks("a", 3, 0, 4);
    tasks("b", 2, 0, 4);

    assertThat(wakesBelow(100)).containsExactly(1);
  }

  /// Counts who is looked at.
  private static final class Looked extends AbstractList<OpenTask> {
    private final List<OpenTask> all = new ArrayList<>();
    private int looks;

    @Override
    public OpenTask get(int index) {
      looks++;
      return all.get(index);
    }

    @Override
    public int size() {
      return all.size();
    }
  }
}
