package dev.superstep.run.start;

import dev.superstep.checkpoint.row.RunOrigin;
import dev.superstep.definition.Compiled;
import dev.superstep.engine.RunStart;
import dev.superstep.engine.RunStart.StartState;
import dev.superstep.engine.checkpoint.PreparedCheckpoint;
import dev.superstep.engine.run.EngineLimits;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.problem.ErrorCode;
import dev.superstep.run.CheckedStart;
import dev.superstep.run.RunService.Started;
import dev.superstep.run.StartRun;
import dev.superstep.run.check.CallerQuotas;
import dev.superstep.run.check.ErrorTranslation;
import dev.superstep.run.start.ThreadQueue.QueueEntry;
import dev.superstep.run.store.RunFinder;
import dev.superstep.run.store.RunInputEntity.RequestedStart;
import dev.superstep.run.store.Threads.ThreadPosition;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.state.value.Canonical;
import java.util.Optional;
import java.util.function.Consumer;
import org.springframework.stereotype.Component;

/// Creates the run of a checked request: in its thread, from whose state it begins at once, or
/// behind the runs that the thread has.
@Component
class RunCreator {
  private final ThreadQueue queue;
  private final RunInserter runInserter;
  private final RunEnqueuer enqueuer;
  private final RunIds ids;
  private final EngineLimits limits;
  private final DatabaseClock clock;
  private final CallerQuotas quotas;

  /// @param ids of runs whose client gave none
  RunCreator(
      ThreadQueue queue,
      RunInserter runInserter,
      RunEnqueuer enqueuer,
      RunIds ids,
      EngineLimits limits,
      DatabaseClock clock,
      CallerQuotas quotas) {
    this.queue = queue;
    this.runInserter = runInserter;
    this.enqueuer = enqueuer;
    this.ids = ids;
    this.limits = limits;
    this.clock = clock;
    this.quotas = quotas;
  }

  /// @param hash of the request, if its client chose the id
  /// @param named receives the id before the run begins
  Started create(CheckedStart checked, Optional<byte[]> hash, Consumer<String> named) {
    return create(checked, hash, named, false);
  }

  /// Makes a run that does not go on behind its input. Its thread must be free.
  Started createAtRest(CheckedStart checked) {
    return create(checked, Optional.empty(), _ -> {}, true);
  }

  private Started create(
      CheckedStart checked, Optional<byte[]> hash, Consumer<String> named, boolean rests) {
    var request = checked.request();
    var graph = checked.accepted().graph();
    var caller = quotas.admit();
    var options = request.options();
    var entry =
        request
            .thread()
            .map(it -> queue.enter(it, options))
            .orElseGet(() -> new QueueEntry.Free(ThreadPosition.ALONE));
    var requested =
        new RequestedStart(
            request.context(),
            options.limits(),
            options.breakpoints(),
            request.metadata(),
            checked.accepted().params(),
            hash.orElse(null),
            options.traceparent(),
            request.edit(),
            Optional.empty());
    var id = request.id().orElseGet(ids::next);
    return switch (entry) {
      case QueueEntry.Free(var threadPosition) ->
          begin(id, request, graph, new QueueSlot(threadPosition, caller, requested, named, rests));
      case QueueEntry.Behind(var ordinal) -> {
        quotas.admitStored(caller, () -> Canonical.size(request.input()));
        // An error of the context that no state can heal is reported now.
        ThreadPosition.ALONE.origin(graph, request.context());
        named.accept(id);
        var origin = origin(request, graph, ordinal, caller);
        enqueuer.enqueue(id, origin, request.input(), requested, options);
        yield new Started(id, false, Optional.empty());
      }
    };
  }

  private record QueueSlot(
      ThreadPosition position,
      String caller,
      RequestedStart requested,
      Consumer<String> named,
      boolean rests) {}

  private Started begin(String id, StartRun request, Compiled graph, QueueSlot place) {
    var options = request.options();
    var origin = origin(request, graph, place.position().ordinal(), place.caller());
    var header =
        RunFinder.header(
            id, origin, request.metadata(), place.requested().params(), options.traceparent());
    var first = begin(request, graph, header, place.position().origin(graph, request.context()));
    var after = first.write().after();
    quotas.admitStored(origin.caller(), () -> Canonical.size(request.input()) + after.sizeBytes());
    var newRun =
        new NewRun(
            header,
            origin,
            request.input(),
            place.requested(),
            first.write(),
            place.position().from());
    place.named().accept(id);
    if (place.rests()) {
      enqueuer.putToRest(newRun, true);
      return new Started(id, false, Optional.empty());
    }
    var progress = runInserter.insert(newRun, options.startAt());
    return new Started(id, false, progress.map(it -> it));
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

  private PreparedCheckpoint.Ready begin(
      StartRun request, Compiled graph, RunHeader header, StartState origin) {
    var start = new RunStart(graph.program(), limits, clock);
    return switch (start.begin(header, request.edit().change(request.input()), origin)) {
      case PreparedCheckpoint.Ready ready -> ready;
      case PreparedCheckpoint.Refused(var error) ->
          throw ErrorTranslation.of(ErrorCode.INVALID_INPUT, "/input", error);
    };
  }
}
