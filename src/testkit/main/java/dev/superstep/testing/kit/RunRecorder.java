package dev.superstep.testing.kit;

import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.CheckpointKind;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.run.Activation;
import dev.superstep.engine.run.Dispatch;
import dev.superstep.engine.run.Event;
import dev.superstep.graph.Graph;
import dev.superstep.graph.Node;
import dev.superstep.graph.NodeId;
import dev.superstep.testing.Ledger;
import dev.superstep.testing.TestObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Notes what a run does.
final class RunRecorder implements TestObserver {
  private static final int CALLS_MAX = 100_000;
  private static final Set<CheckpointKind> COMMITTED =
      Set.of(CheckpointKind.STEP, CheckpointKind.FINAL);

  private final Set<NodeId> nodes;
  private final ScenarioAnswers answers;
  private final Ledger ledger = new Ledger();
  private final List<TestSuperstep> supersteps = new ArrayList<>();
  private final List<Dispatch> dispatches = new ArrayList<>();
  private final List<Event> events = new ArrayList<>();
  private int calls;

  RunRecorder(Graph graph, ScenarioAnswers answers) {
    this.nodes = graph.nodes().stream().map(Node::id).collect(Collectors.toSet());
    this.answers = answers;
  }

  @Override
  public void called(NodeCall call) {
    calls++;
    if (calls > CALLS_MAX) {
      throw answers.fail("the run has called nodes %d times".formatted(CALLS_MAX));
    }
    ledger.note(call);
  }

  @Override
  public void check() {
    answers.check();
  }

  /// @param first checkpoint
  void started(Checkpoint first) {
    dispatches.addAll(sent(first));
  }

  @Override
  public void committed(Commit commit) {
    events.addAll(commit.events());
    commit
        .checkpoint()
        .filter(it -> COMMITTED.contains(it.after().stamp().kind()))
        .ifPresent(this::committed);
  }

  private void committed(Commit.Write write) {
    var ran =
        write.delta().tasks().stream()
            .map(it -> it.key().node())
            .filter(nodes::contains)
            .map(NodeId::value)
            .toList();
    var sent = sent(write.after());
    dispatches.addAll(sent);
    supersteps.add(new TestSuperstep(write.after().superstep(), ran, sent, write.after().state()));
  }

  private static List<Dispatch> sent(Checkpoint checkpoint) {
    return checkpoint.pending().activations().stream()
        .filter(Activation.Sent.class::isInstance)
        .map(Activation.Sent.class::cast)
        .map(Activation.Sent::dispatch)
        .toList();
  }

  List<TestSuperstep> supersteps() {
    return List.copyOf(supersteps);
  }

  List<Dispatch> dispatches() {
    return List.copyOf(dispatches);
  }

  List<Event> events() {
    return List.copyOf(events);
  }

  int calls(String node) {
    return ledger.calls().getOrDefault(node, 0);
  }
}
