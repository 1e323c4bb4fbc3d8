package dev.superstep.run.start;

import dev.superstep.checkpoint.StoredForm;
import dev.superstep.checkpoint.row.CheckpointWriter;
import dev.superstep.checkpoint.row.RunEntity;
import dev.superstep.engine.RunStart;
import dev.superstep.engine.checkpoint.PreparedCheckpoint;
import dev.superstep.engine.run.EngineLimits;
import dev.superstep.engine.run.RunError;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.ContinueThread;
import dev.superstep.run.drive.RunRequeuer;
import dev.superstep.run.store.RunFinder;
import dev.superstep.run.store.StoredJson;
import dev.superstep.run.store.Threads;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/// Begins runs that have waited for their thread, from its current state. This happens in one
/// transaction with taking the thread: after a crash the run has begun, or still waits.
@Component
class RunDequeuer {
  private final RunFinder runFinder;
  private final Threads threads;
  private final EngineLimits limits;
  private final CheckpointWriter writer;
  private final RunRequeuer runRequeuer;
  private final WaitingRunEnder ender;
  private final DatabaseClock clock;
  private final WaitingCalls calls;

  RunDequeuer(
      RunFinder runFinder,
      Threads threads,
      EngineLimits limits,
      CheckpointWriter writer,
      RunRequeuer runRequeuer,
      WaitingRunEnder ender,
      DatabaseClock clock,
      WaitingCalls calls) {
    this.calls = calls;
    this.runFinder = runFinder;
    this.threads = threads;
    this.limits = limits;
    this.writer = writer;
    this.runRequeuer = runRequeuer;
    this.ender = ender;
    this.clock = clock;
  }

  /// The caller holds the locks of the thread, which is free, or stands if the run is a call that
  /// goes on with it, and of the run. A run that cannot begin fails; one that is to end as soon as
  /// it has begun is cancelled with its input committed.
  void begin(RunEntity run) {
    var thread = run.origin().threadId();
    if (thread == null || !run.isEnqueued()) {
      throw new IllegalStateException("run '%s' waits for no thread".formatted(run.id()));
    }
    var call = calls.of(run);
    if (call.isPresent()) {
      carryOut(call.get(), run);
      return;
    }
    if (run.origin().parentRun() != null) {
      take(run); // a fork has its first checkpoint
      return;
    }
    switch (prepare(run, thread)) {
      case PreparedCheckpoint.Refused(var error) ->
          ender.fail(run, new RunError(error.with("part", Value.of("input")), Optional.empty(), 0));
      case PreparedCheckpoint.Ready(var first) -> {
        writer.write(run.id(), first, List.of());
        take(run);
      }
    }
  }

  /// One that is to end as soon as it has begun keeps only what it changes.
  private void carryOut(ContinueThread call, RunEntity run) {
    if (run.cancelRequested() && call.work().change().isEmpty()) {
      ender.cancel(run);
      return;
    }
    if (ender.beginOrFail(run, () -> calls.carryOut(call, run))) {
      take(run);
    }
  }

  private void take(RunEntity run) {
    run.takeTurn(threads.turn(run));
    if (run.cancelRequested()) {
      ender.cancel(run);
    } else {
      runRequeuer.begin(run);
    }
  }

  private PreparedCheckpoint prepare(RunEntity run, String thread) {
    try {
      var graph = runFinder.graph(run);
      var requested = runFinder.input(run.id());
      var context = Optional.ofNullable(requested.context()).map(StoredJson::object);
      var position = threads.position(run.origin().ordinal(), thread, run.from());
      var origin = position.origin(graph, context);
      position.from().ifPresent(run::beginFrom);
      var input = requested.edit().change(StoredJson.object(requested.input()));
      return new RunStart(graph.program(), limits, clock)
          .begin(runFinder.header(run), input, origin);
    } catch (ServiceException e) {
      if (StoredForm.isNewer(e)) {
        throw e; // a replica of that release can begin it
      }
      return new PreparedCheckpoint.Refused(RunError.of(e.code().code(), e.detail()).error());
    }
  }
}
