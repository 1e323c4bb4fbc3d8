package dev.superstep.run.work;

import dev.superstep.checkpoint.work.KeptEvents;
import dev.superstep.checkpoint.work.WorkArrivals;
import dev.superstep.checkpoint.work.WorkSettings;
import dev.superstep.checkpoint.work.WorkerTasks;
import dev.superstep.checkpoint.work.WorkerTasks.Overdue;
import dev.superstep.checkpoint.work.WorkerTasks.OverdueTask;
import dev.superstep.schedule.DatabaseContact;
import dev.superstep.schedule.ReplicaPoll;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/// Queues tasks again whose workers were not heard of, or that have slept, and fails those that are
/// overdue. All replicas do it: each takes what no other one has locked. After an outage of the
/// database, in which nobody could be heard of, silence counts again when it has lasted a lease.
@Component
class WorkExpiry implements ReplicaPoll {
  private static final Logger log = LoggerFactory.getLogger(WorkExpiry.class);

  /// Tasks in one round.
  private static final int REQUEUED_MAX = 1_000;

  private static final int EXPIRED_MAX = 100;

  private final WorkerTasks tasks;
  private final WorkerEnds ends;
  private final WorkArrivals arrivals;
  private final WorkSettings settings;
  private final DatabaseContact contact;
  private final KeptEvents keptEvents;
  private final Duration lease;

  WorkExpiry(
      WorkerTasks tasks,
      WorkerEnds ends,
      WorkArrivals arrivals,
      WorkSettings settings,
      DatabaseContact contact,
      KeptEvents keptEvents,
      @Value("${superstep.lease:6s}") Duration lease) {
    this.tasks = tasks;
    this.ends = ends;
    this.arrivals = arrivals;
    this.settings = settings;
    this.contact = contact;
    this.keptEvents = keptEvents;
    this.lease = lease;
  }

  @Override
  public Duration pause() {
    return settings.expiry();
  }

  @Override
  public void poll(String replica) {
    boolean steady = contact.steadyFor(lease);
    if (steady) {
      var queued = tasks.requeueLost(settings.lostMax(), REQUEUED_MAX);
      queued.forEach(it -> arrivals.arrived(it, 1));
    }
    tasks.wake(REQUEUED_MAX).forEach(it -> arrivals.arrived(it, 1));
    tasks.overdue(settings.lostMax(), EXPIRED_MAX).stream()
        .filter(it -> steady || !ofSilence(it.kind()))
        .forEach(this::expire);
  }

  private static boolean ofSilence(Overdue kind) {
    return kind == Overdue.HEARTBEAT || kind == Overdue.SILENCE;
  }

  /// One that the database refuses must not keep the others waiting.
  private void expire(OverdueTask overdue) {
    try {
      if (overdue.kind() == Overdue.DEADLINE) {
        keptEvents.deliverLateTo(overdue.id());
      }
      ends.expire(overdue);
    } catch (RuntimeException e) {
      log.warn("The time-out of task {} is tried again", overdue.id(), e);
    }
  }
}
