package dev.superstep.bench;

import dev.superstep.bench.function.Parts;
import dev.superstep.engine.ContextPlan;
import dev.superstep.engine.Program;
import dev.superstep.engine.RunStart;
import dev.superstep.engine.SuperstepLoop;
import dev.superstep.engine.TestPorts;
import dev.superstep.engine.TestRunHeader;
import dev.superstep.engine.checkpoint.LoadedRun;
import dev.superstep.engine.checkpoint.PreparedCheckpoint;
import dev.superstep.engine.node.LocalInbox;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.EngineLimits;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.RunHead;
import dev.superstep.engine.run.RunSignals;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.graph.Breakpoints;
import dev.superstep.graph.Edge;
import dev.superstep.graph.Graph;
import dev.superstep.graph.Limits;
import dev.superstep.graph.Node;
import dev.superstep.graph.NodeId;
import dev.superstep.graph.Target;
import dev.superstep.state.Change;
import dev.superstep.state.Channel;
import dev.superstep.state.Channels;
import dev.superstep.state.Reducer;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/// Runs of the chain (W1) by the kernel alone: no service, no database.
final class KernelRuns {
  static final int CHAIN = 10;
  private static final InstantSource CLOCK = InstantSource.system();
  private static final RunHead HEAD =
      new RunHead(
          RunStatus.RUNNING,
          0,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          RunHead.Passed.NONE,
          Duration.ZERO);

  private final Program program = chain();
  private final KernelStore store;
  private final SuperstepLoop loop;

  /// @param store of one caller's runs
  KernelRuns(KernelStore store) {
    this.store = store;
    var ports = TestPorts.of(store, TestPorts.pool(256), CLOCK).ports();
    loop = new SuperstepLoop(ports, EngineLimits.DEFAULT);
  }

  /// Runs the chain once, from its input to its end.
  ///
  /// @throws IllegalStateException if the run does not succeed with counter = 10
  RunStatus run() throws InterruptedException {
    var header = TestRunHeader.of("run", "w1", 1, 0, ObjectValue.empty());
    var begin =
        new RunStart(program, EngineLimits.DEFAULT, CLOCK)
            .begin(header, ObjectValue.empty(), RunStart.StartState.NOTHING);
    if (!(begin instanceof PreparedCheckpoint.Ready(var write))) {
      throw new IllegalStateException(begin.toString());
    }
    var image =
        new LoadedRun(
            header,
            new Lease("run", 1),
            write.after(),
            Limits.NONE,
            Breakpoints.NONE,
            HEAD,
            RunSignals.NONE,
            -1);
    var status = loop.drive(program, image, new LocalInbox(CLOCK));
    if (status != RunStatus.SUCCEEDED || store.counter() != CHAIN) {
      throw new IllegalStateException("%s, counter = %d".formatted(status, store.counter()));
    }
    return status;
  }

  private static Program chain() {
    var nodes = new ArrayList<Node>();
    var edges = new ArrayList<Edge>();
    var runners = new HashMap<NodeId, NodeRunner>();
    var from = NodeId.START;
    for (int i = 0; i < CHAIN; i++) {
      var id = new NodeId("n" + i);
      nodes.add(
          new Node(id, "bench", ObjectValue.empty(), Node.Policy.DEFAULT, Node.Routing.DEFAULT));
      edges.add(edge(from, id));
      runners.put(id, new Step());
      from = id;
    }
    var channels =
        List.of(
            Channel.of("messages", new Reducer.Append()), Channel.of("counter", new Reducer.Sum()));
    return new Program(
        new Graph(Channels.of(channels), nodes, edges, Graph.GraphSettings.DEFAULT),
        runners,
        List.of(),
        ContextPlan.NONE);
  }

  private static Edge edge(NodeId from, NodeId to) {
    return new Edge.Flow(from + "-" + to, from, new Target.Nodes(List.of(to)), Optional.empty(), 0);
  }

  /// One message, and one more on the counter.
  private record Step() implements NodeRunner {
    private static final Value ONE = Value.of(1L);

    @Override
    public Outcome run(NodeCall call) {
      var message = Parts.message(call.task().key().superstep(), 200);
      var update = ObjectValue.of("messages", message).plus("counter", ONE);
      return new Outcome.Done(NodeResult.of(Change.update(update)));
    }

    @Override
    public boolean pure() {
      return true;
    }
  }
}
