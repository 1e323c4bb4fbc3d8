package dev.superstep.run.start;

import dev.superstep.definition.Compiled;
import dev.superstep.engine.RunStart;
import dev.superstep.engine.RunStart.Origin;
import dev.superstep.engine.checkpoint.PreparedCheckpoint;
import dev.superstep.engine.run.EngineLimits;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.CheckedStart;
import dev.superstep.run.RunService.Started;
import dev.superstep.run.StartRun;
import dev.superstep.run.check.CallerQuotas;
import dev.superstep.run.check.ErrorTranslation;
import dev.superstep.run.check.RequestHash;
import dev.superstep.run.check.StartChecks;
import dev.superstep.run.start.RunInserter.NewRun;
import dev.superstep.run.start.ThreadQueue.Entry;
import dev.superstep.run.store.RunFinder;
import dev.superstep.run.store.RunInputEntity.Asked;
import dev.superstep.run.store.RunOrigin;
import dev.superstep.run.store.Threads.ThreadPosition;
import dev.superstep.schedule.replica.DatabaseClock;
import dev.superstep.security.Callers;
import dev.superstep.state.value.Canonical;
import java.security.MessageDigest;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/// Starts runs, in the caller's transaction if there is one.
@Component
public class Starter {
  private final RunFinder runFinder;
  private final StartChecks checks;
  private final ThreadQueue queue;
  private final RunInserter runInserter;
  private final RunEnqueuer enqueuer;
  private final Tools tools;

  /// @param ids of runs whose client gave none
  @Component
  record Tools(
      RunIds ids,
      EngineLimits limits,
      DatabaseClock clock,
      JdbcClient jdbc,
      TransactionOperations transaction,
      Callers callers,
      CallerQuotas quotas) {}

  Starter(
      RunFinder runFinder,
      StartChecks checks,
      ThreadQueue queue,
      RunInserter runInserter,
      RunEnqueuer enqueuer,
      Tools tools) {
    this.runFinder = runFinder;
    this.checks = checks;
    this.queue = queue;
    this.runInserter = runInserter;
    this.enqueuer = enqueuer;
    this.tools = tools;
  }

  /// Checks a request. Outside of transactions: it may wait for a processor.
  public CheckedStart check(StartRun request) {
    return CheckedStart.of(
        request,
        () -> {
          var graph = runFinder.usable(request.graph(), request.version());
          checks.check(request, graph);
          return graph;
        });
  }

  /// @param named receives the id before the run begins
  public Started start(CheckedStart checked, Consumer<String> named) {
    var request = checked.request();
    return request.id().isEmpty() && request.thread().isEmpty()
        ? begin(checked, Optional.empty(), named)
        : Objects.requireNonNull(tools.transaction().execute(_ -> startOnce(checked, named)));
  }

  private Started startOnce(CheckedStart checked, Consumer<String> named) {
    var request = checked.request();
    var hash = request.id().map(_ -> RequestHash.of(request));
    if (request.id().isPresent() && isKnown(request.id().get(), hash.orElseThrow())) {
      return new Started(request.id().get(), true, Optional.empty());
    }
    return begin(checked, hash, named);
  }

  private Started begin(CheckedStart checked, Optional<byte[]> hash, Consumer<String> named) {
    var request = checked.request();
    var graph = checked.graph();
    tools.quotas().admit(tools.callers().current());
    var options = request.options();
    var entry =
        request
            .thread()
            .map(it -> queue.enter(it, options.ifBusy()))
            .orElseGet(() -> new Entry.Free(ThreadPosition.ALONE));
    var asked =
        new Asked(
            request.context(),
            options.limits(),
            options.breakpoints(),
            request.metadata(),
            hash.orElse(null),
            options.traceparent());
    var id = request.id().orElseGet(tools.ids()::next);
    return switch (entry) {
      case Entry.Free(var threadPosition) ->
          begin(id, request, graph, new Place(threadPosition, asked, named));
      case Entry.Behind(var ordinal) -> {
        var caller = tools.callers().current();
        tools.quotas().admitStored(caller, () -> Canonical.size(request.input()));
        // An error of the context that no state can heal is reported now.
        ThreadPosition.ALONE.origin(graph, request.context());
        named.accept(id);
        var origin = origin(request, graph, ordinal);
        enqueuer.enqueue(id, origin, request.input(), asked, options.startAt());
        yield new Started(id, false, Optional.empty());
      }
    };
  }

  private record Place(ThreadPosition position, Asked asked, Consumer<String> named) {}

  private Started begin(String id, StartRun request, Compiled graph, Place place) {
    var options = request.options();
    var origin = origin(request, graph, place.position().ordinal());
    var header = RunFinder.header(id, origin, request.metadata(), options.traceparent());
    var first = begin(request, graph, header, place.position().origin(graph, request.context()));
    var after = first.write().after();
    tools
        .quotas()
        .admitStored(origin.caller(), () -> Canonical.size(request.input()) + after.sizeBytes());
    var newRun = new NewRun(header, origin, request.input(), place.asked(), first.write());
    place.named().accept(id);
    var progress = runInserter.insert(newRun, options.startAt());
    return new Started(id, false, progress.map(it -> it));
  }

  /// Whether the run exists and came from the same request. Calls with one id wait for each other.
  private boolean isKnown(String id, byte[] hash) {
    tools
        .jdbc()
        .sql("select pg_advisory_xact_lock(hashtextextended(?, 0))")
        .param("run:" + id)
        .query((_, _) -> id)
        .single();
    if (!runFinder.exists(id)) {
      return false;
    }
    var known = runFinder.input(id).requestHash();
    if (known == null || !MessageDigest.isEqual(known, hash)) {
      throw ServiceException.at(
          "/id",
          ErrorCode.RUN_EXISTS,
          "run '%s' was started by another request; choose another id".formatted(id));
    }
    return true;
  }

  private RunOrigin origin(StartRun request, Compiled graph, long ordinal) {
    return new RunOrigin(
        graph.name(),
        graph.version(),
        (short) request.options().priority(),
        request.options().durability(),
        request.thread().orElse(null),
        ordinal,
        null,
        null,
        tools.callers().current());
  }

  private PreparedCheckpoint.Ready begin(
      StartRun request, Compiled graph, RunHeader header, Origin origin) {
    var start = new RunStart(graph.program(), tools.limits(), tools.clock());
    return switch (start.begin(header, request.input(), origin)) {
      case PreparedCheckpoint.Ready ready -> ready;
      case PreparedCheckpoint.Refused(var error) ->
          throw ErrorTranslation.of(ErrorCode.INVALID_INPUT, "/input", error);
    };
  }
}
