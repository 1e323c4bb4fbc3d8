package dev.superstep.bench;

import dev.superstep.engine.ContextPlan;
import dev.superstep.engine.Program;
import dev.superstep.engine.RunStart;
import dev.superstep.engine.SuperstepLoop;
import dev.superstep.engine.TestPorts;
import dev.superstep.engine.TestRunHeader;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.LoadedRun;
import dev.superstep.engine.checkpoint.PreparedCheckpoint;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.node.CheckpointStore;
import dev.superstep.engine.node.LocalInbox;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.DispatchRequest;
import dev.superstep.engine.run.EngineLimits;
import dev.superstep.engine.run.Event;
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
import dev.superstep.state.StateHash;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// The kernel alone: no database, no HTTP, pure nodes.
///
/// `chain` runs ten supersteps an operation, each node one small update. `fanOut` runs a planner,
/// `width` dispatches and an aggregate. `hash: true` adds the state hash of every commit, which a
/// real store needs.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 6, time = 2)
public class KernelBenchmark {
  private static final int CHAIN = 10;
  private static final InstantSource CLOCK = InstantSource.system();

  /// Takes every commit and keeps nothing.
  private record Nowhere(boolean hash) implements CheckpointStore {
    @Override
    public CommitResult commit(Lease lease, List<Commit> commits) {
      if (hash) {
        commits.forEach(
            commit -> commit.checkpoint().ifPresent(it -> StateHash.of(it.after().state())));
      }
      return new CommitResult.Committed(CLOCK.instant());
    }

    @Override
    public void record(Lease lease, List<TaskRecord> records, List<Event> events) {}

    @Override
    public RunSignals signals(Lease lease) {
      return RunSignals.NONE;
    }

    @Override
    public RunSignals expire(Lease lease, List<String> interrupts) {
      return RunSignals.NONE;
    }
  }

  /// A node that computes and does nothing else.
  private record Pure(java.util.function.Function<NodeCall, Outcome> body) implements NodeRunner {
    @Override
    public Outcome run(NodeCall call) {
      return body.apply(call);
    }

    @Override
    public boolean pure() {
      return true;
    }
  }

  @State(Scope.Benchmark)
  public static class Chain {
    @Param({"false", "true"})
    boolean hash;

    final Program program = chain();
  }

  @State(Scope.Benchmark)
  public static class FanOut {
    @Param({"100", "1000", "10000"})
    int width;

    final Program program = fanOut();
  }

  @Benchmark
  public RunStatus chain(Chain chain) throws InterruptedException {
    return drive(chain.program, ObjectValue.empty(), new Nowhere(chain.hash));
  }

  @Benchmark
  public RunStatus fanOut(FanOut fanOut) throws InterruptedException {
    return drive(
        fanOut.program, ObjectValue.of("width", Value.of((long) fanOut.width)), new Nowhere(false));
  }

  private static RunStatus drive(Program program, ObjectValue input, CheckpointStore store)
      throws InterruptedException {
    var header = TestRunHeader.of("run", "graph", 1, 0, ObjectValue.empty());
    var begin =
        new RunStart(program, EngineLimits.DEFAULT, CLOCK)
            .begin(header, input, RunStart.StartState.NOTHING);
    if (!(begin instanceof PreparedCheckpoint.Ready(var write))) {
      throw new IllegalStateException(begin.toString());
    }
    var runHead =
        new RunHead(
            RunStatus.RUNNING,
            0,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            RunHead.Passed.NONE,
            Duration.ZERO);
    var image =
        new LoadedRun(
            header,
            new Lease("run", 1),
            write.after(),
            Limits.NONE,
            Breakpoints.NONE,
            runHead,
            RunSignals.NONE,
            -1);
    var ports = TestPorts.of(store, TestPorts.pool(256), CLOCK).ports();
    var status =
        new SuperstepLoop(ports, EngineLimits.DEFAULT).drive(program, image, new LocalInbox(CLOCK));
    if (status != RunStatus.SUCCEEDED) {
      throw new IllegalStateException(status.toString());
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
      nodes.add(node(id));
      edges.add(edge(from, id));
      runners.put(id, new Pure(_ -> update("counter", Value.of(1L))));
      from = id;
    }
    return new Program(
        new Graph(
            Channels.of(List.of(Channel.of("counter", new Reducer.Sum()))),
            nodes,
            edges,
            Graph.GraphSettings.DEFAULT),
        runners,
        List.of(),
        ContextPlan.NONE);
  }

  private static Program fanOut() {
    var plan = new NodeId("plan");
    var work = new NodeId("work");
    var join = new NodeId("join");
    return new Program(
        new Graph(
            Channels.of(List.of(Channel.of("results", new Reducer.Append()))),
            List.of(node(plan), node(work), node(join)),
            List.of(edge(NodeId.START, plan), edge(work, join)),
            Graph.GraphSettings.DEFAULT),
        Map.of(
            plan, new Pure(KernelBenchmark::plan),
            work, new Pure(call -> update("results", call.task().input())),
            join, new Pure(_ -> update("total", Value.of(1L)))),
        List.of(),
        ContextPlan.NONE);
  }

  private static Outcome plan(NodeCall call) {
    var width = call.state().get("width") instanceof Value.Int(var found) ? found : 0;
    var dispatches =
        IntStream.range(0, (int) width)
            .mapToObj(it ->
                new DispatchRequest(
                    "work", ObjectValue.of("item", Value.of((long) it)), null, ObjectValue.empty()))
            .toList();
    return new Outcome.Done(
        new NodeResult(Change.NONE, null, dispatches, ObjectValue.empty(), null, null));
  }

  private static Outcome update(String channel, Value value) {
    return new Outcome.Done(NodeResult.of(Change.update(channel, value)));
  }

  private static Node node(NodeId id) {
    return new Node(id, "bench", ObjectValue.empty(), Node.Policy.DEFAULT, Node.Routing.DEFAULT);
  }

  private static Edge edge(NodeId from, NodeId to) {
    return new Edge.Flow(from + "-" + to, from, new Target.Nodes(List.of(to)), Optional.empty(), 0);
  }
}
