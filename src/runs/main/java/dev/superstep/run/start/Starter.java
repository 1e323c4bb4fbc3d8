package dev.superstep.run.start;

import dev.superstep.audit.AuditAction;
import dev.superstep.checkpoint.row.RunOrigin;
import dev.superstep.definition.Compiled;
import dev.superstep.definition.GraphRegistry.Shown;
import dev.superstep.engine.RunStart;
import dev.superstep.engine.RunStart.StartState;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.PreparedCheckpoint;
import dev.superstep.engine.run.EngineLimits;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.CheckedStart;
import dev.superstep.run.RunService.Started;
import dev.superstep.run.StartRun;
import dev.superstep.run.check.Admitted;
import dev.superstep.run.check.CallerQuotas;
import dev.superstep.run.check.ErrorTranslation;
import dev.superstep.run.check.RequestHash;
import dev.superstep.run.drive.LocalProgress;
import dev.superstep.run.start.ThreadQueue.QueueEntry;
import dev.superstep.run.store.RunFinder;
import dev.superstep.run.store.RunInputEntity;
import dev.superstep.run.store.Threads.ThreadPosition;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.state.value.Canonical;
import dev.superstep.tenant.Share;
import dev.superstep.tenant.Tenant;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.springframework.stereotype.Component;

/// Starts runs of checked requests, each id at most once: in its thread, from whose state a run
/// begins at once, or behind the runs that the thread has. A start with an id or a thread is part
/// of the caller's transaction.
@Component
class Starter {
  private final RunFinder runFinder;
  private final ThreadQueue queue;
  private final RunInserter runInserter;
  private final RunEnqueuer enqueuer;
  private final RunIds ids;
  private final EngineLimits limits;
  private final DatabaseClock clock;
  private final CallerQuotas quotas;

  /// @param ids of runs whose client gave none
  Starter(
      RunFinder runFinder,
      ThreadQueue queue,
      RunInserter runInserter,
      RunEnqueuer enqueuer,
      RunIds ids,
      EngineLimits limits,
      DatabaseClock clock,
      CallerQuotas quotas) {
    this.runFinder = runFinder;
    this.queue = queue;
    this.runInserter = runInserter;
    this.enqueuer = enqueuer;
    this.ids = ids;
    this.limits = limits;
    this.clock = clock;
    this.quotas = quotas;
  }

  /// The graph that a request names.
  Compiled graph(StartRun request) {
    return runFinder.usable(request.graph(), request.version());
  }

  /// @param named receives the id before the run begins
  Started start(CheckedStart checked, Consumer<String> named) {
    var request = checked.request();
    if (request.id().isPresent() && isKnown(request.id().get(), request)) {
      return new Started(request.id().get(), true, Optional.empty());
    }
    requireBudget(checked);
    return start(checked, named, runInserter::insert);
  }

  private void requireBudget(CheckedStart checked) {
    var graph = checked.accepted().graph();
    if (graph.program().spends()) {
      quotas.requireBudget(graph.name(), quotas.current());
    }
  }

  /// The versions of the graph that a request names, if this process remembers them and would drive
  /// the run.
  Optional<Shown> remembered(StartRun request) {
    return request.options().startAt().isEmpty()
            && runInserter.drivesHere(Share.of(request.graph(), quotas.current()))
        ? runFinder.remembered(request.graph())
        : Optional.empty();
  }

  /// The graph that a request names, of these versions.
  Compiled graph(StartRun request, Shown shown) {
    return runFinder.version(request.graph(), shown, request.version());
  }

  /// Whether a run of this request's caller would begin before it is inserted.
  boolean startsEarly() {
    return runInserter.startsEarly(new Share(Tenant.current().name(), quotas.current()));
  }

  /// Starts a run without an id and a thread, for a caller who waits for its end.
  Started startWaiting(CheckedStart checked) {
    requireBudget(checked);
    return start(checked, _ -> {}, runInserter::startEarlyOrInsert);
  }

  /// Starts a run without an id and a thread that was checked against what is remembered.
  ///
  /// @param named receives the id before the run begins, and of one that does not
  /// @return empty if what is remembered may not hold any more; nothing is stored
  Optional<Started> startRemembered(CheckedStart checked, Consumer<String> named) {
    return startRemembered(checked, named, runInserter::startEarlyOrInsertHere);
  }

  /// Likewise, but the run begins when it is inserted.
  Optional<Started> insertRemembered(CheckedStart checked, Consumer<String> named) {
    return startRemembered(checked, named, runInserter::insertHere);
  }

  private Optional<Started> startRemembered(
      CheckedStart checked,
      Consumer<String> named,
      Function<NewRun, Optional<LocalProgress>> insertion) {
    requireBudget(checked);
    var share = quotas.share(checked.accepted().graph().name());
    return quotas.admitting(
        share,
        admitted -> {
          var how = new RememberedStart(share, named, insertion);
          var started = startAdmitted(checked, how, admitted);
          if (started.isEmpty()) {
            admitted.takeBack();
          }
          return started;
        });
  }

  /// @param named receives the id before
  private record RememberedStart(
      Share share, Consumer<String> named, Function<NewRun, Optional<LocalProgress>> insertion) {}

  private Optional<Started> startAdmitted(
      CheckedStart checked, RememberedStart how, Admitted admitted) {
    var caller = how.share().caller();
    var remembered = checked.accepted().remembered().orElseThrow();
    var alone = ThreadPosition.ALONE;
    var origin = origin(checked.request(), checked.accepted().graph(), alone.ordinal(), caller);
    NewRun newRun;
    try {
      newRun = begin(checked, origin, alone).remembering(remembered);
    } catch (ServiceException _) {
      return Optional.empty(); // refused by a version that may not be the newest any more
    }
    admitted.stored(newRun::storedBytes);
    quotas.lend(newRun.id(), caller);
    how.named().accept(newRun.id());
    return how.insertion()
        .apply(newRun)
        .map(it -> new Started(newRun.id(), false, Optional.of(it)));
  }

  /// Makes a run that does not go on behind its input; its thread must be free.
  ///
  /// @return its id
  String startAtRest(CheckedStart checked) {
    return start(
            checked,
            _ -> {},
            newRun -> {
              enqueuer.putToRest(newRun, true);
              return Optional.empty();
            })
        .run();
  }

  /// Whether the run exists and came from the same request.
  private boolean isKnown(String id, StartRun request) {
    if (!runFinder.lockId(id)) {
      return false;
    }
    var known = runFinder.input(id).requestHash();
    if (known == null || !RequestHash.matches(request, known) || !runFinder.isReached(id)) {
      throw ServiceException.at(
          "/id",
          ErrorCode.RUN_EXISTS,
          "run '%s' was started by another request; choose another id".formatted(id));
    }
    return true;
  }

  private Started start(
      CheckedStart checked,
      Consumer<String> named,
      Function<NewRun, Optional<LocalProgress>> insertion) {
    var share = quotas.share(checked.accepted().graph().name());
    return quotas.admitting(share, it -> start(checked, named, insertion, it));
  }

  private Started start(
      CheckedStart checked,
      Consumer<String> named,
      Function<NewRun, Optional<LocalProgress>> insertion,
      Admitted admitted) {
    var caller = quotas.current();
    var request = checked.request();
    var graph = checked.accepted().graph();
    return switch (enter(request)) {
      case QueueEntry.Free(var position) -> {
        var newRun = begin(checked, origin(request, graph, position.ordinal(), caller), position);
        admitted.stored(newRun::storedBytes);
        quotas.lend(newRun.id(), caller);
        named.accept(newRun.id());
        yield new Started(newRun.id(), false, insertion.apply(newRun).map(it -> it));
      }
      case QueueEntry.Behind(var ordinal) -> {
        admitted.stored(() -> Canonical.size(request.input()));
        // An error of the context that no state can heal is reported now.
        ThreadPosition.ALONE.origin(graph, request.context());
        var origin = origin(request, graph, ordinal, caller);
        var header = header(checked, origin);
        quotas.lend(header.id(), caller);
        named.accept(header.id());
        enqueuer.enqueue(origin, requested(request, header), request.options());
        yield new Started(header.id(), false, Optional.empty());
      }
    };
  }

  private QueueEntry enter(StartRun request) {
    return request
        .thread()
        .map(it -> queue.enter(it, request.options()))
        .orElseGet(() -> new QueueEntry.Free(ThreadPosition.ALONE));
  }

  private NewRun begin(CheckedStart checked, RunOrigin origin, ThreadPosition position) {
    var request = checked.request();
    var graph = checked.accepted().graph();
    var header = header(checked, origin);
    var first = first(request, graph, header, position.origin(graph, request.context()));
    var now = clock.instant();
    var newRun =
        new NewRun(
                header,
                origin,
                request.input(),
                requested(request, header),
                first,
                position.from(),
                request.options().startAt().filter(it -> it.isAfter(now)))
            .audited(quotas.audited(), AuditAction.RUN_START);
    return checked.companion().map(newRun::beside).orElse(newRun);
  }

  private RunHeader header(CheckedStart checked, RunOrigin origin) {
    var request = checked.request();
    return RunFinder.header(
        request.id().orElseGet(() -> ids.next(Tenant.of(origin.graph()))),
        origin,
        request.metadata(),
        checked.accepted().params(),
        request.options().traceparent());
  }

  private static RunOrigin origin(StartRun request, Compiled graph, long ordinal, String caller) {
    return new RunOrigin(
        graph.name(),
        graph.version(),
        (short) request.options().priority(),
        request.thread().orElse(null),
        ordinal,
        null,
        null,
        caller);
  }

  private static RunInputEntity requested(StartRun request, RunHeader header) {
    var requested =
        new RunInputEntity(
            header,
            Canonical.bytes(request.input()),
            request.context().map(Canonical::bytes).orElse(null));
    requested.limits(request.options().limits());
    requested.breakpoints(request.options().breakpoints());
    requested.edit(request.edit());
    requested.webhooks(request.options().webhooks());
    request.id().ifPresent(_ -> requested.requestHash(RequestHash.of(request)));
    return requested;
  }

  private Commit.Write first(
      StartRun request, Compiled graph, RunHeader header, StartState origin) {
    var start = new RunStart(graph.program(), limits, clock);
    return switch (start.begin(header, request.edit().change(request.input()), origin)) {
      case PreparedCheckpoint.Ready(var write) -> write;
      case PreparedCheckpoint.Refused(var error) ->
          throw ErrorTranslation.of(ErrorCode.INVALID_INPUT, "/input", error);
    };
  }
}
