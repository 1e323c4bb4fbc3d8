package dev.superstep.engine;

import dev.superstep.engine.TestGraph.Policies;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.Resume;
import dev.superstep.engine.run.TaskError;
import dev.superstep.graph.Edge;
import dev.superstep.graph.InboxPolicy;
import dev.superstep.graph.Node;
import dev.superstep.graph.RetryPolicy;
import dev.superstep.state.Change;
import dev.superstep.state.Reducer;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/// A graph drawn from a seed, of nodes that dispatch, ask, fail, retry, are caught, sleep, loop and
/// join.
///
/// What a node does depends on nothing but its call and on whether the world has been repaired, so
/// that a disturbed run and an undisturbed one must agree.
final class SimulatedGraph {
  private static final int NODES_MAX = 7;
  private static final List<String> NODE_RULES =
      List.of(
          "{}",
          "{'context_type': 'isolate'}",
          "{'context_type': 'filter_out', 'context_filter': {'rules': [{'type': 'exclude',"
              + " 'pattern': 'secret.*'}]}}",
          "{'context_filter': {'rules': [{'type': 'transform', 'pattern': 'a.*', 'transform':"
              + " 'json'}]}}",
          "{'context_type': 'filter_in', 'context_filter': {'rules': [{'type': 'include',"
              + " 'pattern': 'n*'}]}}");
  private static final List<String> EDGE_RULES =
      List.of(
          "{}",
          "{'context_filter': {'type': 'pass_none'}}",
          "{'context_filter': {'type': 'selective', 'exclude_patterns': ['secret.*']}}",
          "{'context_filter': {'type': 'selective', 'include_patterns': ['n1', 'n2'], 'target':"
              + " 'all'}}",
          "{'context_filter': {'type': 'transform', 'transform_rules': [{'source_pattern': 'b.*',"
              + " 'target_pattern': 'c.*'}]}}");

  private static final Node.Routing FIRST =
      new Node.Routing(
          Node.EdgeMode.ALL,
          Set.of(),
          Optional.empty(),
          Node.OnNoMatch.END,
          Optional.empty(),
          Node.EdgeMode.FIRST);

  private final Random random;
  private final SimulatedWorld world;
  private final boolean compacts;
  private final TestGraph graph = new TestGraph();
  private final Random contextRandom;
  private final Random pureRandom;
  private final Random errorRandom;
  private final boolean keepsContext;
  private final boolean fails;
  private final List<String> nodes = new ArrayList<>();

  SimulatedGraph(long seed, SimulatedWorld world) {
    random = new Random(seed);
    compacts = seed % 3 == 0;
    // Of its own, so that the graphs are those that seeds have always drawn.
    contextRandom = new Random(seed + 17);
    pureRandom = new Random(seed + 29);
    errorRandom = new Random(seed + 41);
    keepsContext = seed % 5 == 0;
    fails = seed % 11 == 4;
    this.world = world;
  }

  /// Takes the messages of people as this says.
  SimulatedGraph inbox(InboxPolicy policy) {
    graph.inbox(policy);
    return this;
  }

  Program program() {
    graph
        .channel("count", new Reducer.Sum())
        .channel("log", new Reducer.Append())
        .channel("marks", new Reducer.Union())
        .channel("best", new Reducer.Max())
        .channel("said", new Reducer.Append())
        .conversation()
        .superstepsMax(40);
    if (compacts) {
      graph.compact(5, 2, SimulatedGraph::summarize);
    }
    int size = 2 + random.nextInt(NODES_MAX - 1);
    for (int i = 0; i < size; i++) {
      nodes.add("n" + i);
    }
    for (int i = 0; i < size; i++) {
      node(i);
    }
    graph.edge("__start__", nodes.getFirst());
    connect();
    if (fails) {
      graph.node("end", SimulatedGraph::end).edge(nodes.getLast(), "end");
    }
    return keepsContext ? withContexts() : graph.program();
  }

  /// What runs of the graph begin with: some keep a prompt context, some do not.
  RunStart.StartState origin() {
    return keepsContext
        ? ContextGraph.origin("{'a.x': 1, 'b.y': 2, 'secret.z': 3}")
        : RunStart.StartState.NOTHING;
  }

  private Program withContexts() {
    var contexts = contextRandom.nextBoolean() ? new ContextGraph() : new ContextGraph().chain();
    nodes.forEach(it -> contexts.node(it, pick(NODE_RULES)));
    int edges = contexts.program(graph).contexts().edges().size();
    for (int i = 0; i < edges; i++) {
      contexts.edge("e" + i, pick(EDGE_RULES));
    }
    return contexts.program(graph);
  }

  private String pick(List<String> rules) {
    return rules.get(contextRandom.nextInt(rules.size()));
  }

  private void node(int index) {
    var id = nodes.get(index);
    switch (random.nextInt(9)) {
      case 0 -> add(id, it -> it, planner(id));
      case 1 -> add(id, it -> it, asker(1 + random.nextInt(2)));
      case 2 -> flaky(id, pause());
      case 3 -> add(id, it -> it, sleeper(pause()));
      case 4 -> add(id, it -> it, brokenUntilRepaired());
      case 5 -> {
        add(id, it -> it, _ -> TestNodes.failed("hopeless"));
        caught(id, nodes.get(random.nextInt(nodes.size())));
      }
      case 6 -> add(id, Policies::goesOn, _ -> TestNodes.failed("tolerated"));
      default -> add(id, it -> random.nextInt(8) == 0 ? it.defer() : it, SimulatedGraph::noted);
    }
  }

  private void add(String id, UnaryOperator<Policies> policy, NodeRunner runner) {
    int most = random.nextInt(3);
    var node =
        pureRandom.nextInt(5) < 3
            ? new PureNode(runner)
            : world.seesThrough() ? new PureNode(effect(runner)) : effect(runner);
    graph.node(id, it -> policy.apply(it.atMost(most)), FIRST, node);
  }

  /// A node that the engine runs on the driver's own thread, and on whose commits it does not wait.
  private record PureNode(NodeRunner runner) implements NodeRunner {
    @Override
    public Outcome run(NodeCall call) throws Exception {
      return runner.run(call);
    }

    @Override
    public boolean pure() {
      return true;
    }
  }

  /// A node whose calls others notice.
  private NodeRunner effect(NodeRunner runner) {
    return call -> {
      world.noticed(call);
      return runner.run(call);
    };
  }

  private Duration pause() {
    return random.nextBoolean() ? Duration.ofMillis(50) : Duration.ofHours(1);
  }

  private void connect() {
    for (int i = 0; i < nodes.size(); i++) {
      var from = nodes.get(i);
      for (int j = i + 1; j < nodes.size(); j++) {
        if (random.nextInt(3) == 0) {
          graph.edge(from, nodes.get(j));
        }
      }
      if (random.nextInt(6) == 0) {
        int rounds = 1 + random.nextInt(6);
        graph.when(
            from, scope -> size(scope.get("state")) < rounds, nodes.get(random.nextInt(i + 1)));
      }
    }
    if (nodes.size() > 3 && random.nextInt(3) == 0) {
      var modes = Edge.Join.Mode.values();
      graph.join(modes[random.nextInt(modes.length)], nodes.subList(0, 2), nodes.getLast());
    }
  }

  private static int size(Value state) {
    return state instanceof ObjectValue channels && channels.get("log") instanceof ListValue log
        ? log.size()
        : 0;
  }

  private NodeRunner planner(String id) {
    int width = random.nextInt(5);
    var target = nodes.get(random.nextInt(nodes.size()));
    return call ->
        // A dispatched planner does not dispatch: every graph must come to an end.
        call.task().dispatch() == null && size(call.state().channels()) < 20
            ? new Outcome.Done(
                new NodeResult(
                    change(call),
                    null,
                    IntStream.range(0, width)
                        .mapToObj(it -> TestNodes.request(target, "item", Value.of(id + it)))
                        .toList(),
                    ObjectValue.empty(),
                    null,
                    null))
            : noted(call);
  }

  private static NodeRunner asker(int questions) {
    return call -> {
      var answered = call.state().get("asked") instanceof ListValue asked ? asked.size() : 0;
      boolean enough =
          call.resume().map(it -> it.answer().equals(Value.of(questions - 1))).orElse(false);
      return enough
          ? noted(call)
          : TestNodes.ask(
              call.task().key() + " asks " + next(call),
              Change.update("held", Value.of(call.task().key() + ":" + answered)));
    };
  }

  private static long next(NodeCall call) {
    return call.resume().map(Resume::answer).orElse(Value.NULL) instanceof Value.Int(var last)
        ? last + 1
        : 0;
  }

  /// Ends the run as failed, which no repair undoes.
  private static Outcome end(NodeCall call) {
    return new Outcome.Done(
        NodeResult.failingRun(TaskError.permanent("ended", call.task().key().toString())));
  }

  /// Repeated until it works, until its policies have repeated it often enough, each on its own, or
  /// until the time for all attempts is over.
  private void flaky(String id, Duration pause) {
    switch (errorRandom.nextInt(3)) {
      case 0 -> {
        add(id, it -> it.retries(repeats("busy", pause), repeats("away", pause)), flaky(4));
        caught(id, nodes.get(errorRandom.nextInt(nodes.size())));
      }
      case 1 -> {
        var hour = Duration.ofHours(1);
        add(id, it -> it.attempts(9, hour).total(hour.plusMinutes(30)), flaky(9));
        caught(id, nodes.get(errorRandom.nextInt(nodes.size())));
      }
      default -> add(id, it -> it.attempts(3, pause), flaky(1));
    }
  }

  private static RetryPolicy repeats(String code, Duration pause) {
    return new RetryPolicy(2, pause, 1, pause, 0, List.of(code), List.of());
  }

  /// The first edge that names the code takes it, and no other.
  private void caught(String id, String to) {
    graph.onError(id, to, "hopeless", "busy");
    graph.onError(id, nodes.get(errorRandom.nextInt(nodes.size())));
  }

  private static NodeRunner flaky(int failures) {
    return call ->
        call.attempt() <= failures
            ? TestNodes.flaky(call.attempt() % 2 == 0 ? "away" : "busy")
            : noted(call);
  }

  private static NodeRunner sleeper(Duration time) {
    return call -> call.woken() ? noted(call) : new Outcome.Waiting(call.clock().plus(time));
  }

  private NodeRunner brokenUntilRepaired() {
    return call -> world.repaired() ? noted(call) : TestNodes.failed("broken");
  }

  /// Fails whenever the conversation has a number of messages that it does not like.
  private static Optional<String> summarize(ListValue messages, NodeCall call) {
    if (size(call.state().channels()) % 4 == 3) {
      throw new IllegalStateException("no summary of that");
    }
    return Optional.of("%d until %s".formatted(messages.size(), call.task().key()));
  }

  private static Outcome noted(NodeCall call) {
    var node = call.task().key().node().value();
    return new Outcome.Done(
        new NodeResult(
            change(call),
            null,
            List.of(),
            ObjectValue.of(node, Value.of(call.task().key().toString())),
            null,
            null));
  }

  /// What a node sees of the prompt context must not depend on what goes wrong either.
  private static Value seen(NodeCall call) {
    var context = call.context();
    return ObjectValue.of("variables", context.variables()).plus("history", context.history());
  }

  private static Change change(NodeCall call) {
    var key = Value.of(call.task().key().toString());
    return Change.update(
        ObjectValue.of("count", Value.of(1))
            .plus("log", key)
            .plus("marks", ListValue.of(Value.of(call.task().key().node().value())))
            .plus("best", Value.of(call.task().key().superstep()))
            .plus("messages", ListValue.of(message("says " + call.task().key())))
            .plus("saw", seen(call))
            .plus("last", key));
  }

  private static ObjectValue message(String text) {
    return ObjectValue.of("role", Value.of("user")).plus("content", Value.of(text));
  }
}
