package dev.superstep.run.start;

import dev.superstep.checkpoint.row.CallLineage;
import dev.superstep.checkpoint.row.Checkpoints;
import dev.superstep.checkpoint.row.RunEntity;
import dev.superstep.definition.Compiled;
import dev.superstep.engine.ConsumedArrivals;
import dev.superstep.engine.ForkedContext;
import dev.superstep.engine.StateEdit;
import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.PreparedCheckpoint;
import dev.superstep.engine.run.EngineLimits;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.engine.run.TaskError;
import dev.superstep.graph.NodeId;
import dev.superstep.graph.Violations;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.ForkRun;
import dev.superstep.run.check.ErrorTranslation;
import dev.superstep.run.check.ParamSettings;
import dev.superstep.run.query.NodesRun;
import dev.superstep.run.store.RunFinder;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.state.Change;
import dev.superstep.state.value.ObjectValue;
import org.springframework.stereotype.Component;

/// Computes the first checkpoint of a fork (E42): that of its source, fitted to the graph of the
/// fork and edited as the request asks.
@Component
class ForkedCheckpoints {
  private final RunFinder runFinder;
  private final Checkpoints checkpoints;
  private final CallLineage calls;
  private final NodesRun nodesRun;
  private final EngineLimits limits;
  private final DatabaseClock clock;
  private final ParamSettings params;

  ForkedCheckpoints(
      RunFinder runFinder,
      Checkpoints checkpoints,
      CallLineage calls,
      NodesRun nodesRun,
      EngineLimits limits,
      DatabaseClock clock,
      ParamSettings params) {
    this.runFinder = runFinder;
    this.checkpoints = checkpoints;
    this.calls = calls;
    this.nodesRun = nodesRun;
    this.limits = limits;
    this.clock = clock;
    this.params = params;
  }

  /// The values of the source. Another version may have other params: those that the source has no
  /// value of are as in a new run.
  ///
  /// @throws ServiceException if they do not fit that version
  ObjectValue params(ObjectValue source, Compiled target, ForkRun request) {
    if (request.version().isEmpty()) {
      return source;
    }
    var declared = target.params().declared();
    var requested = ObjectValue.builder();
    source.forEach((name, value) -> {
      if (declared.containsKey(name)) {
        requested.put(name, value);
      }
    });
    var violations = new Violations();
    var pinned =
        target
            .params()
            .pin(requested.build(), params.of(target.name()), violations.root().key("params"));
    ServiceException.throwIfAny(violations);
    return pinned;
  }

  /// @param header of the fork
  /// @throws ServiceException `checkpoint_not_found`, or what is wrong with the edit
  PreparedCheckpoint.Ready fork(
      RunEntity source, Compiled target, RunHeader header, ForkRun request) {
    var from =
        ForkedContext.fit(checkpoint(source, request), target.program().graph(), target.context());
    return edited(rearmed(source, from, target, request), target, header, request);
  }

  /// Keeps whose calls the fork may repeat, so that a person can be asked first.
  ///
  /// @param first of the fork, which is stored already
  void keepLineage(String fork, RunEntity source, Checkpoint first) {
    calls.fork(fork, source.id(), first.superstep());
  }

  private Checkpoint checkpoint(RunEntity source, ForkRun request) {
    var graph = runFinder.graph(source).program().graph();
    return checkpoints
        .rebuild(runFinder.header(source), request.checkpoint(), graph)
        .orElseThrow(() ->
            ServiceException.at(
                "/checkpoint",
                ErrorCode.CHECKPOINT_NOT_FOUND,
                "the run has no checkpoint %d".formatted(request.checkpoint())));
  }

  private Checkpoint rearmed(RunEntity source, Checkpoint from, Compiled target, ForkRun request) {
    var graph = target.program().graph();
    var member = request.asNode().map(ForkedCheckpoints::node);
    if (member.isEmpty() || !ConsumedArrivals.matter(from, graph, member.get())) {
      return from;
    }
    var ran = nodesRun.of(source, from.superstep());
    return ConsumedArrivals.restore(from, graph, member.get(), ran);
  }

  private PreparedCheckpoint.Ready edited(
      Checkpoint from, Compiled target, RunHeader header, ForkRun request) {
    var edit = new StateEdit(target.program(), header, limits, clock);
    var change = request.change().orElse(Change.NONE);
    return switch (edit.fork(
        from, change, request.context(), request.asNode().map(ForkedCheckpoints::node))) {
      case PreparedCheckpoint.Ready ready -> ready;
      case PreparedCheckpoint.Refused(var error) -> throw refused(change, error);
    };
  }

  private static NodeId node(String id) {
    if (!NodeId.isValid(id)) {
      throw ServiceException.at(
          "/as_node", ErrorCode.INVALID_VALUE, "'%s' is no node id".formatted(id));
    }
    return new NodeId(id);
  }

  private static ServiceException refused(Change change, TaskError error) {
    return switch (error.code()) {
      case "missing_node" -> ErrorTranslation.of(ErrorCode.INVALID_VALUE, "/version", error);
      case "invalid_route" -> ErrorTranslation.of(ErrorCode.INVALID_VALUE, "/as_node", error);
      default -> ErrorTranslation.ofChange(change, error);
    };
  }
}
