package dev.superstep.checkpoint.work;

import dev.superstep.schedule.ReplicaPoll;
import java.time.Duration;
import org.springframework.stereotype.Component;

/// Finds tasks that claims wait for here and that were queued elsewhere: one query per round,
/// however many wait, and none while nobody does.
@Component
class WorkPoll implements ReplicaPoll {
  private final WorkArrivals arrivals;
  private final WorkerTasks tasks;
  private final WorkSettings settings;

  WorkPoll(WorkArrivals arrivals, WorkerTasks tasks, WorkSettings settings) {
    this.arrivals = arrivals;
    this.tasks = tasks;
    this.settings = settings;
  }

  @Override
  public Duration pause() {
    return settings.poll();
  }

  @Override
  public void poll(String replica) {
    var awaited = arrivals.awaited();
    if (!awaited.isEmpty()) {
      tasks.queued(awaited, settings.claimMax()).forEach(arrivals::arrived);
    }
  }
}
