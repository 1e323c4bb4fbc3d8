package dev.superstep.langgraph.run;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;
import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.langgraph.run.Aftermaths.Aftermath;
import dev.superstep.langgraph.run.RunCall.Asked;
import dev.superstep.langgraph.run.RunCall.Begin;
import dev.superstep.langgraph.thread.ThreadLabels;
import dev.superstep.run.RunService;
import dev.superstep.run.ThreadQueries;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/// Does what a call that begins a run asks for, in one transaction with the row of the call: after
/// a crash there are both, or neither.
@Component
@OnLangGraph
public class RunLauncher {
  private final RunPlanner planner;
  private final RunService runs;
  private final ThreadQueries threadQueries;
  private final RunCallRows rows;
  private final ThreadLabels labels;
  private final Aftermaths aftermaths;
  private final TransactionOperations transaction;
  private final TimeBasedEpochGenerator ids = Generators.timeBasedEpochGenerator();

  RunLauncher(
      RunPlanner planner,
      RunService runs,
      ThreadQueries threadQueries,
      RunCallRows rows,
      ThreadLabels labels,
      Aftermaths aftermaths,
      TransactionOperations transaction) {
    this.planner = planner;
    this.runs = runs;
    this.threadQueries = threadQueries;
    this.rows = rows;
    this.labels = labels;
    this.aftermaths = aftermaths;
    this.transaction = transaction;
  }

  /// @param named receives the id of the stored run before it can go on
  public RunCall launch(Optional<String> thread, RunCreate request, Consumer<String> named) {
    var planned = plan(thread, request);
    try (var aftermath = aftermaths.of(planned.thread(), request)) {
      Consumer<String> first =
          run -> {
            aftermath.listen(run);
            named.accept(run);
          };
      announce(planned.plan(), first);
      var call = Objects.requireNonNull(transaction.execute(_ -> perform(planned, first)));
      aftermath.launched(call);
      return call;
    }
  }

  /// Begins runs without threads: all of them, or none.
  List<RunCall> launchAll(List<RunCreate> requests) {
    var planned = requests.stream().map(it -> plan(Optional.empty(), it)).toList();
    var following = new ArrayList<Aftermath>();
    try {
      planned.forEach(it -> following.add(aftermaths.of(it.thread(), it.request())));
      var calls =
          Objects.requireNonNull(
              transaction.execute(_ -> {
                var begun = new ArrayList<RunCall>();
                for (int i = 0; i < planned.size(); i++) {
                  begun.add(perform(planned.get(i), following.get(i)::listen));
                }
                return begun;
              }));
      for (int i = 0; i < calls.size(); i++) {
        following.get(i).launched(calls.get(i));
      }
      return calls;
    } finally {
      following.forEach(Aftermath::close);
    }
  }

  /// What is to be done in the transaction.
  ///
  /// @param makes whether the thread may have to be made
  private record Planned(
      RunCreate request, Optional<String> thread, boolean makes, RunPlan plan, Asked asked) {}

  private Planned plan(Optional<String> thread, RunCreate request) {
    var at = thread.isPresent() ? thread : ownThread(request);
    boolean makes = request.thread().creates() || request.thread().keeps();
    at.filter(_ -> !makes).ifPresent(threadQueries::summary);
    var asked =
        new Asked(
            request.assistant(),
            request.metadata(),
            request.body().minus("input"),
            request.thread().ifBusy().apiName());
    return new Planned(request, at, makes, planner.plan(at, request), asked);
  }

  private RunCall perform(Planned planned, Consumer<String> named) {
    var request = planned.request();
    var at = planned.thread();
    at.filter(it -> !planned.makes() || !labels.make(it, request.graph(), request.assistant()))
        .ifPresent(it -> labels.label(it, request.graph(), request.assistant()));
    return perform(planned.plan(), at, planned.asked(), named);
  }

  private Optional<String> ownThread(RunCreate request) {
    return request.thread().keeps() ? Optional.of(ids.generate().toString()) : Optional.empty();
  }

  /// A run that is there already can be listened to before it goes on.
  private static void announce(RunPlan plan, Consumer<String> named) {
    if (plan instanceof RunPlan.Resume(var resume, _, _)) {
      named.accept(resume.run());
    }
  }

  private RunCall perform(
      RunPlan plan, Optional<String> thread, Asked asked, Consumer<String> named) {
    var call =
        switch (plan) {
          case RunPlan.Start(var start) -> {
            thread.ifPresent(runs::endStopped);
            var id = runs.start(start, named).run();
            yield call(id, id, thread, Begin.START, asked);
          }
          case RunPlan.Fork(var fork) -> {
            thread.ifPresent(runs::endStopped);
            var id = runs.fork(fork);
            named.accept(id);
            yield call(id, id, thread, Begin.START, asked);
          }
          case RunPlan.Resume(var resume, var answers, var checkpoint) -> {
            long after = runs.resume(resume, answers);
            rows.ensureFirst(resume.run(), thread, asked.assistant());
            yield call(newId(), resume.run(), thread, new Begin(after, checkpoint), asked);
          }
          case RunPlan.Nothing(var run) -> {
            rows.ensureFirst(run, thread, asked.assistant());
            yield nothing(run, thread, asked);
          }
        };
    rows.insert(call);
    return call;
  }

  private String newId() {
    return ids.generate().toString();
  }

  private RunCall call(String id, String run, Optional<String> thread, Begin begin, Asked asked) {
    return new RunCall(id, run, thread, begin, Optional.empty(), asked, false, Instant.EPOCH);
  }

  private RunCall nothing(String run, Optional<String> thread, Asked asked) {
    return new RunCall(
        newId(), run, thread, Begin.START, Optional.empty(), asked, true, Instant.EPOCH);
  }
}
