package dev.superstep.run.start;

import dev.superstep.audit.AuditAction;
import dev.superstep.checkpoint.CheckpointRef;
import dev.superstep.checkpoint.row.RunEntity;
import dev.superstep.checkpoint.row.RunOrigin;
import dev.superstep.definition.Compiled;
import dev.superstep.graph.Violations;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.ForkRun;
import dev.superstep.run.check.CallerQuotas;
import dev.superstep.run.check.LimitChecks;
import dev.superstep.run.check.StartChecks;
import dev.superstep.run.start.ThreadQueue.QueueRoom;
import dev.superstep.run.store.RunFinder;
import dev.superstep.run.store.RunInputEntity;
import dev.superstep.run.store.StoredJson;
import dev.superstep.tenant.Reach;
import dev.superstep.tenant.Tenant;
import java.util.Optional;
import java.util.function.Consumer;
import org.springframework.stereotype.Component;

/// Starts runs from checkpoints of other runs (E42, E48). Runs in the caller's transaction; the
/// source is only read: checkpoints never change.
@Component
class Forker {
  private final RunFinder runFinder;
  private final ForkedCheckpoints checkpoints;
  private final LimitChecks limitChecks;
  private final ThreadQueue queue;
  private final RunInserter runInserter;
  private final RunEnqueuer enqueuer;
  private final RunIds ids;
  private final CallerQuotas quotas;

  Forker(
      RunFinder runFinder,
      ForkedCheckpoints checkpoints,
      LimitChecks limitChecks,
      ThreadQueue queue,
      RunInserter runInserter,
      RunEnqueuer enqueuer,
      RunIds ids,
      CallerQuotas quotas) {
    this.runFinder = runFinder;
    this.checkpoints = checkpoints;
    this.limitChecks = limitChecks;
    this.queue = queue;
    this.runInserter = runInserter;
    this.enqueuer = enqueuer;
    this.ids = ids;
    this.quotas = quotas;
  }

  /// Compiles the graphs; outside of transactions, for compiling waits for a processor.
  public void prepare(ForkRun request) {
    runFinder.load(request.run());
    request.version().ifPresent(version -> runFinder.loadVersion(request.run(), version));
  }

  /// @return id of the new run
  public String fork(ForkRun request) {
    quotas.requireBudget(runFinder.run(request.run()).origin().graph(), quotas.current());
    return fork(request, runInserter::insert);
  }

  /// Makes a run that does not go on behind its first checkpoint. Its thread must be free.
  ///
  /// @return id of the new run
  public String forkAtRest(ForkRun request) {
    boolean isEdit = request.change().isPresent() || request.asNode().isPresent();
    return fork(request, it -> enqueuer.putToRest(it, isEdit));
  }

  private String fork(ForkRun request, Consumer<NewRun> insertion) {
    check(request);
    var share = quotas.share(request.run());
    quotas.admit(share);
    // Before the source is read: it may be the run that this ends.
    var room = request.thread().map(it -> queue.makeRoom(it, request.ifBusy()));
    var source = runFinder.run(request.run());
    var input = runFinder.input(source.id());
    var target = target(source, request);
    StartChecks.settings(request.settings(), target);
    var origin = origin(source, target, share.caller(), request, room);
    var params = checkpoints.params(input.params(), target, request);
    var header =
        RunFinder.header(
            ids.next(Tenant.of(source.id())), origin, input.metadata(), params, Optional.empty());
    var first = checkpoints.fork(source, target, header, request);
    var after = first.write().after();
    quotas.admitStored(share, () -> input.input().length + after.sizeBytes());
    var requested = new RunInputEntity(header, input.input(), input.context());
    requested.limits(request.limits().or(input.limits()));
    requested.breakpoints(request.settings().over(input.breakpoints()));
    var from = room.map(_ -> new CheckpointRef(source.id(), request.checkpoint()));
    var newRun =
        new NewRun(
                header,
                origin,
                StoredJson.object(input.input()),
                requested,
                first.write(),
                from,
                Optional.empty())
            .audited(quotas.audited(), AuditAction.RUN_FORK);
    quotas.lend(header.id(), share.caller());
    if (room.map(QueueRoom::free).orElse(true)) {
      insertion.accept(newRun);
    } else {
      enqueuer.enqueueFork(newRun);
    }
    checkpoints.keepLineage(header.id(), source, after);
    return header.id();
  }

  private void check(ForkRun request) {
    var violations = new Violations();
    StartChecks.id(request.thread(), "/thread_id", violations);
    limitChecks.check(request.limits(), "/limits", violations);
    ServiceException.throwIfAny(violations);
  }

  /// A run of another graph may be within reach because of the one that has begun it.
  private Compiled target(RunEntity source, ForkRun request) {
    if (!Reach.admitsGraph(source.origin().graph())) {
      throw new ServiceException(
          ErrorCode.FORBIDDEN,
          "your key or token may not start runs of graph '%s'".formatted(source.origin().graph()));
    }
    return request.version().isPresent()
        ? runFinder.version(source.origin().graph(), request.version().get())
        : runFinder.graph(source);
  }

  /// A fork outside of threads keeps the ordinal of its source, from which generated ids derive:
  /// another one could repeat ids that the state has from earlier runs of the thread.
  private RunOrigin origin(
      RunEntity source, Compiled target, String caller, ForkRun request, Optional<QueueRoom> room) {
    var origin = source.origin();
    return new RunOrigin(
        target.name(),
        target.version(),
        origin.priority(),
        request.thread().orElse(null),
        room.map(it -> it.thread().takeOrdinalAbove(origin.ordinal())).orElse(origin.ordinal()),
        source.id(),
        request.checkpoint(),
        caller);
  }
}
