package dev.superstep.langgraph.run;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;
import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.langgraph.run.RunCall.Asked;
import dev.superstep.langgraph.run.RunCall.Begin;
import dev.superstep.langgraph.thread.ThreadLabels;
import dev.superstep.run.NewThread;
import dev.superstep.run.RunService;
import dev.superstep.run.ThreadQueries;
import dev.superstep.run.ThreadService;
import dev.superstep.state.value.ObjectValue;
import java.time.Instant;
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
  private final ThreadService threads;
  private final ThreadQueries threadQueries;
  private final RunCallRows rows;
  private final ThreadLabels labels;
  private final Aftermaths aftermaths;
  private final TransactionOperations transaction;
  private final TimeBasedEpochGenerator ids = Generators.timeBasedEpochGenerator();

  RunLauncher(
      RunPlanner planner,
      RunService runs,
      ThreadService threads,
      ThreadQueries threadQueries,
      RunCallRows rows,
      ThreadLabels labels,
      Aftermaths aftermaths,
      TransactionOperations transaction) {
    this.planner = planner;
    this.runs = runs;
    this.threads = threads;
    this.threadQueries = threadQueries;
    this.rows = rows;
    this.labels = labels;
    this.aftermaths = aftermaths;
    this.transaction = transaction;
  }

  /// @param named receives the id of the stored run before it can go on
  public RunCall launch(Optional<String> thread, RunCreate request, Consumer<String> named) {
    var at = thread.isPresent() ? thread : ownThread(request);
    boolean makes = request.thread().creates() || request.thread().keeps();
    at.filter(_ -> !makes).ifPresent(threadQueries::summary);
    var plan = planner.plan(at, request);
    var asked =
        new Asked(
            request.assistant(),
            request.metadata(),
            request.body().minus("input"),
            request.thread().ifBusy().apiName());
    try (var aftermath = aftermaths.of(at, request)) {
      Consumer<String> first =
          run -> {
            aftermath.listen(run);
            named.accept(run);
          };
      announce(plan, first);
      var call =
          Objects.requireNonNull(
              transaction.execute(_ -> {
                at.filter(_ -> makes).ifPresent(this::make);
                at.ifPresent(it -> labels.label(it, request.graph(), request.assistant()));
                return perform(plan, at, asked, first);
              }));
      aftermath.launched(call);
      return call;
    }
  }

  private Optional<String> ownThread(RunCreate request) {
    return request.thread().keeps() ? Optional.of(ids.generate().toString()) : Optional.empty();
  }

  private void make(String thread) {
    threads.create(
        new NewThread(Optional.of(thread), ObjectValue.empty(), NewThread.IfExists.DO_NOTHING));
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
