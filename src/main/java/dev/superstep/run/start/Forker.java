package dev.superstep.run.start;

import dev.superstep.checkpoint.read.Checkpoints;
import dev.superstep.definition.Compiled;
import dev.superstep.engine.StateEdit;
import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.PreparedCheckpoint;
import dev.superstep.engine.context.ForkedContext;
import dev.superstep.engine.routing.ConsumedArrivals;
import dev.superstep.engine.run.EngineLimits;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.engine.task.TaskError;
import dev.superstep.graph.NodeId;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.ForkRun;
import dev.superstep.run.check.CallerQuotas;
import dev.superstep.run.check.ErrorTranslation;
import dev.superstep.run.check.LimitChecks;
import dev.superstep.run.check.StartChecks;
import dev.superstep.run.query.NodesRun;
import dev.superstep.run.start.RunInserter.NewRun;
import dev.superstep.run.start.ThreadQueue.Room;
import dev.superstep.run.store.RunEntity;
import dev.superstep.run.store.RunFinder;
import dev.superstep.run.store.RunInputEntity.Asked;
import dev.superstep.run.store.RunOrigin;
import dev.superstep.run.store.StoredJson;
import dev.superstep.schedule.replica.DatabaseClock;
import dev.superstep.security.Callers;
import dev.superstep.state.Change;
import dev.superstep.violation.Violations;
import java.util.Optional;
import org.springframework.stereotype.Component;

/// Starts runs from checkpoints of other runs (E42, E48). Runs in the caller's transaction; the
/// source is only read: checkpoints never change.
@Component
public class Forker {
  private final RunFinder runFinder;
  private final Checkpoints checkpoints;
  private final LimitChecks limitChecks;
  private final RunInserter runInserter;
  private final RunEnqueuer enqueuer;
  private final Means means;

  @Component
  record Means(
      RunIds ids,
      EngineLimits limits,
      DatabaseClock clock,
      ThreadQueue queue,
      NodesRun ran,
      Callers callers,
      CallerQuotas quotas) {}

  Forker(
      RunFinder runFinder,
      Checkpoints checkpoints,
      LimitChecks limitChecks,
      RunInserter runInserter,
      RunEnqueuer enqueuer,
      Means means) {
    this.runFinder = runFinder;
    this.checkpoints = checkpoints;
    this.limitChecks = limitChecks;
    this.runInserter = runInserter;
    this.enqueuer = enqueuer;
    this.means = means;
  }

  /// Compiles the graphs; outside of transactions, for compiling waits for a processor.
  public void prepare(ForkRun request) {
    runFinder.load(request.run());
    request.version().ifPresent(version -> runFinder.load(request.run(), version));
  }

  /// @return id of the new run
  public String fork(ForkRun request) {
    check(request);
    means.quotas().admit(means.callers().current());
    // Before the source is read: it may be the run that this ends.
    var room = request.thread().map(it -> means.queue().makeRoom(it, request.ifBusy()));
    var source = runFinder.run(request.run());
    var input = runFinder.input(source.id());
    var target = target(source, request);
    var from =
        ForkedContext.fit(checkpoint(source, request), target.program().graph(), target.context());
    from = rearmed(source, from, target, request);
    var origin = origin(source, target, request, room);
    var header = RunFinder.header(means.ids().next(), origin, input.metadata(), Optional.empty());
    var first = fork(target, header, from, request);
    var after = first.write().after();
    means.quotas().admitStored(origin.caller(), () -> input.input().length + after.sizeBytes());
    var asked =
        new Asked(
            Optional.ofNullable(input.context()).map(StoredJson::object),
            request.limits().or(input.limits()),
            input.breakpoints(),
            input.metadata(),
            null,
            Optional.empty());
    var newRun = new NewRun(header, origin, StoredJson.object(input.input()), asked, first.write());
    if (room.map(Room::free).orElse(true)) {
      runInserter.insert(newRun, Optional.empty());
    } else {
      enqueuer.enqueueFork(newRun);
    }
    return header.id();
  }

  private void check(ForkRun request) {
    var violations = new Violations();
    StartChecks.id(request.thread(), "/thread_id", violations);
    limitChecks.check(request.limits(), "/limits", violations);
    ServiceException.throwIfAny(violations);
  }

  private Compiled target(RunEntity source, ForkRun request) {
    return request.version().isPresent()
        ? runFinder.version(source.origin().graph(), request.version().get())
        : runFinder.graph(source);
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

  /// A fork outside of threads keeps the ordinal of its source, from which generated ids derive:
  /// another one could repeat ids that the state has from earlier runs of the thread.
  private RunOrigin origin(
      RunEntity source, Compiled target, ForkRun request, Optional<Room> room) {
    var origin = source.origin();
    return new RunOrigin(
        target.name(),
        target.version(),
        origin.priority(),
        origin.durability(),
        request.thread().orElse(null),
        room.map(it -> it.thread().takeOrdinalAbove(origin.ordinal())).orElse(origin.ordinal()),
        source.id(),
        request.checkpoint(),
        means.callers().current());
  }

  private Checkpoint rearmed(RunEntity source, Checkpoint from, Compiled target, ForkRun request) {
    var graph = target.program().graph();
    var member = request.asNode().map(Forker::node);
    if (member.isEmpty() || !ConsumedArrivals.matter(from, graph, member.get())) {
      return from;
    }
    var ran = means.ran().of(source, from.superstep());
    return ConsumedArrivals.restore(from, graph, member.get(), ran);
  }

  private PreparedCheckpoint.Ready fork(
      Compiled target, RunHeader header, Checkpoint from, ForkRun request) {
    var edit = new StateEdit(target.program(), header, means.limits(), means.clock());
    var change = request.change().orElse(Change.NONE);
    return switch (edit.fork(from, change, request.context(), request.asNode().map(Forker::node))) {
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
