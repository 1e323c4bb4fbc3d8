package dev.superstep.run;

import dev.superstep.context.PromptContext;
import dev.superstep.definition.Compiled;
import dev.superstep.definition.GraphParams;
import dev.superstep.definition.GraphRegistry;
import dev.superstep.definition.GraphVersion;
import dev.superstep.engine.Compaction;
import dev.superstep.engine.Compactor;
import dev.superstep.engine.ContextPlan;
import dev.superstep.engine.Program;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.node.Summarizer;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.TaskError;
import dev.superstep.graph.Edge;
import dev.superstep.graph.Graph;
import dev.superstep.graph.Node;
import dev.superstep.graph.NodeId;
import dev.superstep.graph.Route;
import dev.superstep.graph.Target;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.Change;
import dev.superstep.state.Channel;
import dev.superstep.state.Channels;
import dev.superstep.state.Reducer;
import dev.superstep.state.ValueCheck;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/// Graphs whose nodes are lambdas. Channel `log` takes text in the order of the tasks.
public final class TestGraphs implements GraphRegistry {
  private final Map<String, List<Compiled>> versions = new ConcurrentHashMap<>();

  /// Builds one version.
  public static final class Builder {
    private final String name;
    private final List<Node> nodes = new ArrayList<>();
    private final Map<NodeId, NodeRunner> runners = new HashMap<>();
    private final List<Edge> edges = new ArrayList<>();
    private final List<Compaction> compactions = new ArrayList<>();
    private ValueCheck inputCheck = ValueCheck.NONE;
    private Optional<PromptContext> context = Optional.empty();
    private ContextPlan contexts = ContextPlan.NONE;

    private Builder(String name) {
      this.name = name;
    }

    public Builder node(String id, NodeRunner runner) {
      return node(id, Node.Policy.DEFAULT, runner);
    }

    public Builder node(String id, Node.Policy policy, NodeRunner runner) {
      nodes.add(
          new Node(new NodeId(id), "function", ObjectValue.empty(), policy, Node.Routing.DEFAULT));
      runners.put(new NodeId(id), runner);
      return this;
    }

    public Builder edge(String from, String... to) {
      var targets = new ArrayList<NodeId>();
      for (var id : to) {
        targets.add(new NodeId(id));
      }
      var edge =
          new Edge.Flow(
              "e" + edges.size(), new NodeId(from), new Target.Nodes(targets), Optional.empty(), 0);
      edges.add(edge);
      return this;
    }

    public Builder join(List<String> from, String to) {
      edges.add(
          new Edge.Join(
              "j" + edges.size(),
              from.stream().map(NodeId::new).toList(),
              List.of(new NodeId(to)),
              Edge.Join.Mode.ALL));
      return this;
    }

    /// An edge that dispatches or names what `route` says.
    public Builder route(String from, Route route) {
      var target = new Target.Computed(route, Map.of(), Set.of(), Optional.empty());
      edges.add(new Edge.Flow("e" + edges.size(), new NodeId(from), target, Optional.empty(), 0));
      return this;
    }

    /// Compacts `log` when it has more than `over` items; the last two stay.
    public Builder compacts(int over, Summarizer summarizer) {
      var when = new Compaction.Threshold(Optional.of(over), Optional.empty(), _ -> 0);
      compactions.add(new Compaction(when, new Compactor("log", 2, summarizer)));
      return this;
    }

    /// Runs keep a prompt context and begin with this one.
    public Builder context(PromptContext initial, ContextPlan plan) {
      context = Optional.of(initial);
      contexts = plan;
      return this;
    }

    public Builder input(ValueCheck check) {
      inputCheck = check;
      return this;
    }

    private Compiled build(int version) {
      var channels =
          Channels.of(
              List.of(
                  Channel.of("log", new Reducer.Append()), Channel.of("sum", new Reducer.Sum())));
      var standard = Graph.GraphSettings.DEFAULT;
      var settings =
          new Graph.GraphSettings(standard.limits(), standard.breakpoints(), context.isPresent());
      var graph = new Graph(channels, nodes, edges, settings);
      return new Compiled(
          name,
          version,
          new Program(graph, runners, compactions, contexts),
          inputCheck,
          List.of(),
          context.orElse(PromptContext.EMPTY),
          GraphParams.NONE,
          ObjectValue.empty());
    }
  }

  public static Builder graph(String name) {
    return new Builder(name);
  }

  public void add(Builder graph) {
    versions.compute(
        graph.name,
        (_, known) -> {
          var all = known == null ? new ArrayList<Compiled>() : new ArrayList<>(known);
          all.add(graph.build(all.size() + 1));
          return all;
        });
  }

  @Override
  public List<Listed> listed(int max) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Map<String, Shown> shown(Collection<String> names) {
    return names.stream()
        .filter(versions::containsKey)
        .collect(
            Collectors.toMap(
                it -> it, it -> new Shown(0, versions.getOrDefault(it, List.of()).size())));
  }

  @Override
  public Optional<GraphVersion> version(String name, int version) {
    return find(name, version)
        .map(_ ->
            new GraphVersion(
                name,
                version,
                "",
                Instant.EPOCH,
                Optional.empty(),
                List.of(),
                ObjectValue.empty()));
  }

  private Optional<Compiled> find(String name, int version) {
    var all = versions.getOrDefault(name, List.of());
    return version < 1 || version > all.size()
        ? Optional.empty()
        : Optional.of(all.get(version - 1));
  }

  @Override
  public Compiled compiled(String name, int version) {
    return find(name, version)
        .orElseThrow(() -> new ServiceException(ErrorCode.GRAPH_NOT_FOUND, "no graph " + name));
  }

  /// Appends its own id to `log`.
  public static NodeRunner says(String word) {
    return _ -> log(word);
  }

  public static Outcome log(String word) {
    return new Outcome.Done(NodeResult.of(Change.update("log", Value.of(word))));
  }

  public static Outcome fails(String code) {
    return new Outcome.Failed(TaskError.permanent(code, "as the test wants"));
  }

  /// Asks once and then appends the answer to `log`.
  public static NodeRunner asks(dev.superstep.engine.run.InterruptRequest request) {
    return call -> answered(call).orElseGet(() -> new Outcome.Interrupted(request));
  }

  /// Says words to whoever listens, and appends them to `log` as one.
  public static Outcome speaks(NodeCall call, String... words) {
    var text = call.watchers().begin(Optional.empty());
    for (var word : words) {
      text.append(word);
    }
    return log(String.join("", words));
  }

  private static Optional<Outcome> answered(NodeCall call) {
    return call.resume()
        .map(it -> new Outcome.Done(NodeResult.of(Change.update("log", it.answer()))));
  }
}
