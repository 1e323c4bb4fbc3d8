package dev.superstep.run.start;

import dev.superstep.checkpoint.CheckpointRef;
import dev.superstep.checkpoint.row.CheckpointWriter;
import dev.superstep.checkpoint.row.EventLog;
import dev.superstep.checkpoint.row.RunEntity;
import dev.superstep.run.ForkRun;
import dev.superstep.run.check.StartChecks;
import dev.superstep.run.store.RunFinder;
import java.util.List;
import org.springframework.stereotype.Component;

/// Makes forks of runs that have waited for their thread, in the caller's transaction, which holds
/// the locks of both.
@Component
class WaitingForks {
  private final ForkedCheckpoints forks;
  private final CheckpointWriter writer;
  private final RunFinder runFinder;
  private final EventLog events;

  WaitingForks(
      ForkedCheckpoints forks, CheckpointWriter writer, RunFinder runFinder, EventLog events) {
    this.forks = forks;
    this.writer = writer;
    this.runFinder = runFinder;
    this.events = events;
  }

  /// Writes the first checkpoint of the run that has waited.
  void begin(RunEntity waiting, ForkRun request) {
    var source = runFinder.run(request.run());
    var input = runFinder.input(waiting.id());
    var settings = request.settings();
    var before = runFinder.input(source.id());
    input.limits(request.limits().or(before.limits()));
    input.breakpoints(settings.over(before.breakpoints()));
    var target = runFinder.graph(waiting);
    StartChecks.settings(settings, target);
    var write = forks.fork(source, target, runFinder.header(waiting), request).write();
    waiting.beginFrom(new CheckpointRef(source.id(), request.checkpoint()));
    waiting.beginAt(write.after().superstep());
    events.append(waiting.id(), List.of(NewRun.created(waiting.origin())));
    writer.write(waiting.id(), write, List.of());
    forks.keepLineage(waiting.id(), source, write.after());
  }
}
