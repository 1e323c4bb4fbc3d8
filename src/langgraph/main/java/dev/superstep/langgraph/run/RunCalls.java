package dev.superstep.langgraph.run;

import dev.superstep.langgraph.AssistantIds;
import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.langgraph.run.RunCall.CallOptions;
import dev.superstep.langgraph.thread.RunNaming;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.EventView;
import dev.superstep.run.Page;
import dev.superstep.run.RunQueries;
import dev.superstep.run.RunSummary;
import dev.superstep.run.ThreadQueries;
import dev.superstep.state.value.ObjectValue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.springframework.stereotype.Component;

/// Finds runs as clients of this API count them, with their status.
@Component
@OnLangGraph
class RunCalls implements RunNaming {
  private static final Set<String> STOPS =
      Set.of("run.interrupted", "run.failed", "run.succeeded", "run.cancelled", "run.resumed");
  private static final int PAGE = 200;

  private final RunCallRows rows;
  private final RunQueries queries;
  private final ThreadQueries threads;

  RunCalls(RunCallRows rows, RunQueries queries, ThreadQueries threads) {
    this.rows = rows;
    this.queries = queries;
    this.threads = threads;
  }

  /// A call with the run it has begun or gone on with.
  record CalledRun(RunCall call, RunSummary run) {
    /// What clients call its thread: without one, the run is its own.
    String thread() {
      return call.threadOrRun();
    }
  }

  /// As the call that has begun the run, or has gone on with it.
  @Override
  public NamedRun name(RunSummary run, int checkpoint) {
    return rows.ofCheckpoint(run.id(), checkpoint)
        .map(it -> new NamedRun(it.id(), it.options().assistant(), it.options().metadata()))
        .orElseGet(() -> {
          var metadata = ObjectValue.builder();
          run.origin().metadata().forEach(metadata::put);
          return new NamedRun(
              run.id(), AssistantIds.ofGraph(run.origin().graph()), metadata.build());
        });
  }

  /// The stored run of a call as of now: of one that has waited, another one than before.
  String runOf(RunCall call) {
    return rows.find(call.id()).orElse(call).run();
  }

  /// That part of it.
  StreamedRun now(StreamedRun run) {
    return rows.find(run.id()).map(RunCall::streamed).orElse(run);
  }

  /// @throws ServiceException `run_not_found`
  CalledRun find(String id) {
    var call = rows.find(id);
    if (call.isPresent()) {
      return new CalledRun(call.get(), queries.summary(call.get().run()));
    }
    var run = queries.summary(id);
    return new CalledRun(first(run), run);
  }

  /// @throws ServiceException `run_not_found` if it is not one of this thread
  CalledRun find(String thread, String id) {
    var found = find(id);
    if (!found.thread().equals(thread)) {
      throw new ServiceException(
          ErrorCode.RUN_NOT_FOUND, "thread '%s' has no run '%s'".formatted(thread, id));
    }
    return found;
  }

  /// The newest call of a thread, if it is under way; empty if there is no such thread.
  Optional<CalledRun> active(String thread) {
    try {
      return ofThread(thread, 1).stream()
          .filter(it -> !it.call().nothing() && !it.run().status().atRest())
          .findFirst();
    } catch (ServiceException e) {
      if (e.code() == ErrorCode.THREAD_NOT_FOUND) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /// A run that another API has begun.
  private static RunCall first(RunSummary run) {
    var options =
        new CallOptions(run.origin().graph(), ObjectValue.empty(), ObjectValue.empty(), "reject");
    return new RunCall(
        run.id(),
        run.id(),
        run.origin().thread(),
        RunCall.CallStart.START,
        Optional.empty(),
        options,
        false,
        run.times().createdAt());
  }

  /// These, with their requests, which [#ofThread] leaves out.
  List<CalledRun> whole(List<CalledRun> found) {
    var calls = rows.whole(found.stream().map(CalledRun::call).toList());
    return IntStream.range(0, calls.size())
        .mapToObj(it -> new CalledRun(calls.get(it), found.get(it).run()))
        .toList();
  }

  /// The newest `limit` of a thread, newest first, without metadata and kwargs.
  ///
  /// @throws ServiceException `thread_not_found`
  List<CalledRun> ofThread(String thread, int limit) {
    var runs = new HashMap<String, RunSummary>();
    var known = new HashSet<String>();
    var all = new ArrayList<RunCall>(rows.ofThread(thread, limit));
    all.forEach(it -> known.add(it.run()));
    for (var run : newest(thread, limit)) {
      runs.put(run.id(), run);
      if (!known.contains(run.id()) && rows.find(run.id()).isEmpty()) {
        all.add(first(run));
      }
    }
    return all.stream()
        .sorted(Comparator.comparing(RunCall::createdAt).reversed())
        .limit(limit)
        .map(it -> new CalledRun(it, summary(it.run(), runs)))
        .toList();
  }

  private RunSummary summary(String run, Map<String, RunSummary> known) {
    return known.computeIfAbsent(run, queries::summary);
  }

  private List<RunSummary> newest(String thread, int limit) {
    var found = new ArrayList<RunSummary>();
    var page = threads.runs(thread, Page.Request.first(Math.min(limit, PAGE)));
    found.addAll(page.items());
    while (page.next().isPresent() && found.size() < limit) {
      page = threads.runs(thread, new Page.Request(page.next(), PAGE));
      found.addAll(page.items());
    }
    return found;
  }

  /// The status as these clients know it. One that stopped at a question is a success.
  String status(CalledRun found) {
    var call = found.call();
    if (call.nothing()) {
      return "success";
    }
    if (call.until().isPresent()) {
      return lastStop(call, call.until().get())
          .map(it -> it.event().type().equals("run.failed") ? "error" : "success")
          .orElse("success");
    }
    var run = found.run();
    return switch (run.status()) {
      case QUEUED -> run.times().startedAt().isPresent() ? "running" : "pending";
      case RUNNING, WAITING, CANCELLING -> "running";
      case SUCCEEDED, INTERRUPTED -> "success";
      case FAILED -> isTimeout(run) ? "timeout" : "error";
      case CANCELLED -> wasAtRest(call) ? "success" : "interrupted";
    };
  }

  private static boolean isTimeout(RunSummary run) {
    return run.standing().error().filter(it -> it.error().code().equals("run_timeout")).isPresent();
  }

  /// Whether it had stopped at a question before it was cancelled: new input has dropped that.
  private boolean wasAtRest(RunCall call) {
    var last = "";
    var beforeLast = "";
    for (var event : stops(call)) {
      beforeLast = last;
      last = event.event().type();
    }
    return last.equals("run.cancelled") && beforeLast.equals("run.interrupted");
  }

  private Optional<EventView> lastStop(RunCall call, long until) {
    return stops(call).stream()
        .filter(it -> it.seq().orElse(0L) <= until)
        .reduce((_, later) -> later);
  }

  private List<EventView> stops(RunCall call) {
    return queries.events(call.run(), call.after(), STOPS, PAGE);
  }

  /// Whether a run has stopped, or is not there.
  boolean isAtRest(String run) {
    try {
      return queries.summary(run).status().atRest();
    } catch (ServiceException gone) {
      return true;
    }
  }
}
