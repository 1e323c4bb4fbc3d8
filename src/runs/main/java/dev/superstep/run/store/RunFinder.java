package dev.superstep.run.store;

import dev.superstep.checkpoint.row.RunEntity;
import dev.superstep.checkpoint.row.RunOrigin;
import dev.superstep.database.OwnThings;
import dev.superstep.definition.Compiled;
import dev.superstep.definition.GraphName;
import dev.superstep.definition.GraphRegistry;
import dev.superstep.definition.GraphRegistry.Shown;
import dev.superstep.engine.run.BirthId;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.graph.Graph;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.RunSummary;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/// Finds the resources that requests name, or refuses the request as not found.
@Component
public class RunFinder {
  private final GraphRegistry graphs;
  private final VisibleGraphs visibleGraphs;
  private final RunRows runs;
  private final RunInputRows inputs;
  private final OwnThings things;

  RunFinder(
      GraphRegistry graphs,
      VisibleGraphs visibleGraphs,
      RunRows runs,
      RunInputRows inputs,
      OwnThings things) {
    this.things = things;
    this.graphs = graphs;
    this.visibleGraphs = visibleGraphs;
    this.runs = runs;
    this.inputs = inputs;
  }

  /// A graph that new runs may use: its name is not hidden.
  public Compiled usable(String name, Optional<Integer> version) {
    var shown =
        visibleGraphs
            .find(name)
            .orElseThrow(() ->
                ServiceException.at(
                    "/graph", ErrorCode.GRAPH_NOT_FOUND, GraphName.of(name).unknown()));
    return version(name, shown, version);
  }

  /// The versions of a graph that new runs may use, as this process remembers them.
  public Optional<Shown> remembered(String name) {
    return visibleGraphs.remembered(name);
  }

  /// One of the `shown` versions of a graph.
  public Compiled version(String name, Shown shown, Optional<Integer> version) {
    int number = version.orElse(shown.newest());
    if (!shown.has(number)) {
      throw versionNotFound(name, number);
    }
    return graphs.compiled(name, number);
  }

  /// The graph that a node of a run names, of the same tenant: an inline graph has the version of
  /// the run, hidden or not.
  public Compiled called(RunHeader run, String written, Optional<Integer> version) {
    return GraphName.isReference(written)
        ? graphs.compiled(GraphName.of(run.graph()).called(written).text(), run.version())
        : usable(Tenant.of(run.graph()).own(written), version);
  }

  public Compiled version(String name, int number) {
    if (graphs.version(name, number).isEmpty()) {
      throw versionNotFound(name, number);
    }
    return graphs.compiled(name, number);
  }

  private static ServiceException versionNotFound(String name, int number) {
    return ServiceException.at(
        "/version",
        ErrorCode.VERSION_NOT_FOUND,
        "graph '%s' has no version %d".formatted(name, number));
  }

  public Compiled graph(RunEntity run) {
    return graphs.compiled(run.origin().graph(), run.origin().version());
  }

  public Compiled graph(RunSummary run) {
    return graphs.compiled(run.origin().graph(), run.origin().version());
  }

  /// Compiles the graph of a run, if both exist: outside of transactions, for compiling waits for a
  /// processor.
  public void load(String run) {
    load(run, this::graph);
  }

  /// Compiles another version of it, too.
  public void loadVersion(String run, int version) {
    load(run, it -> version(it.origin().graph(), version));
  }

  /// Compiles a version that a run has, if it exists.
  public void load(String graph, int version) {
    try {
      var _ = graphs.compiled(graph, version);
    } catch (ServiceException _) {
      // Reported by the call that needs the graph.
    }
  }

  /// Within a transaction nothing: what is read there before the run is locked would be kept.
  private void load(String run, Function<RunEntity, Compiled> find) {
    if (TransactionSynchronizationManager.isActualTransactionActive()) {
      return;
    }
    try {
      var _ = runs.findById(run).map(find);
    } catch (ServiceException _) {
      // Reported by the call that needs the graph.
    }
  }

  /// The run's graph, if this server can compile it: runs of other graphs can still be read.
  public Optional<Graph> findGraph(RunSummary run) {
    try {
      return Optional.of(graph(run).program().graph());
    } catch (ServiceException e) {
      return Optional.empty();
    }
  }

  /// The run, locked until the transaction ends.
  public RunEntity lock(String run) {
    return runs.lock(run).orElseThrow(() -> notFound(run));
  }

  /// The run, locked, if it still exists. A transaction that locks a run must not have read it
  /// before: it would keep what it read then.
  public Optional<RunEntity> findLocked(String run) {
    return runs.lock(run);
  }

  public RunEntity run(String run) {
    return runs.findById(run).orElseThrow(() -> notFound(run));
  }

  public RunInputEntity input(String run) {
    return inputs.findById(run).orElseThrow(() -> notFound(run));
  }

  /// Whether the run is within reach of this request.
  public boolean isReached(String run) {
    return things.reachesCall(run);
  }

  public boolean exists(String run) {
    return runs.findById(run).isPresent();
  }

  /// Whether there is a run of this id, which is locked until the transaction ends: calls with one
  /// id wait for each other.
  public boolean lockId(String run) {
    return runs.lockKey("run:" + run) == 1 && exists(run);
  }

  public static ServiceException notFound(String run) {
    return new ServiceException(ErrorCode.RUN_NOT_FOUND, "there is no run '%s'".formatted(run));
  }

  public static ServiceException threadNotFound(String thread) {
    return new ServiceException(
        ErrorCode.THREAD_NOT_FOUND, "there is no thread '%s'".formatted(thread));
  }

  /// The immutable part of the run.
  public RunHeader header(RunEntity run) {
    var input = input(run.id());
    var header =
        header(run.id(), run.origin(), input.metadata(), input.params(), input.traceparent());
    return header.with(run.birthId());
  }

  public RunHeader header(RunSummary run) {
    return header(run(run.id()));
  }

  /// The immutable part of a run that is to be inserted, by the statement that makes its birth id.
  public static RunHeader header(
      String id,
      RunOrigin origin,
      Map<String, String> metadata,
      ObjectValue params,
      Optional<String> traceparent) {
    var values = new HashMap<String, Value>();
    metadata.forEach((key, value) -> values.put(key, Value.of(value)));
    return new RunHeader(
        id,
        BirthId.ofRun(id),
        origin.graph(),
        origin.version(),
        origin.ordinal(),
        ObjectValue.of(values),
        params,
        traceparent);
  }
}
