package dev.superstep.run.drive;

import dev.superstep.checkpoint.row.EventLog;
import dev.superstep.checkpoint.row.RunEntity;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.run.drive.RunClaims.Claim;
import dev.superstep.run.store.ChildLinks;
import dev.superstep.run.store.RunFinder;
import dev.superstep.run.store.Threads;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.schedule.WakeUps;
import dev.superstep.state.value.ObjectValue;
import jakarta.persistence.EntityManager;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/// Claims or queues a run that rested. The caller holds the lock of the run.
@Component
public class RunRequeuer {
  private final Threads threads;
  private final EntityManager entities;
  private final EventLog events;
  private final LocalRunStarter localRunStarter;
  private final RunFinder runFinder;
  private final WakeUps wakeUps;
  private final ChildLinks links;
  private final DatabaseClock clock;

  RunRequeuer(
      Threads threads,
      EntityManager entities,
      EventLog events,
      LocalRunStarter localRunStarter,
      RunFinder runFinder,
      WakeUps wakeUps,
      ChildLinks links,
      DatabaseClock clock) {
    this.threads = threads;
    this.entities = entities;
    this.events = events;
    this.localRunStarter = localRunStarter;
    this.runFinder = runFinder;
    this.wakeUps = wakeUps;
    this.links = links;
    this.clock = clock;
  }

  /// Begins a run that has waited for its thread and now has its first checkpoint.
  public void begin(RunEntity run) {
    var now = clock.instant();
    var later = run.wakesAt().filter(it -> it.isAfter(now));
    run.dequeue(later);
    boolean here = later.isEmpty() && here(run, now);
    entities.flush();
    if (here) {
      events.append(run.id(), List.of(Event.of("run.started", ObjectValue.empty())));
    } else {
      wakeUps.schedule(run.id(), run.wake(), later.orElse(now), run.origin().priority());
    }
  }

  /// Keeps the place of an edited run, or takes its thread again if it had ended.
  public void keep(RunEntity run) {
    threads.reenter(run);
  }

  /// Claims the run for this process, or queues it.
  public void requeue(RunEntity run) {
    threads.reenter(run);
    var now = clock.instant();
    forget(run);
    if (run.status() == RunStatus.FAILED) {
      queueTasks(run);
    }
    run.queue(now);
    boolean here = here(run, now);
    entities.flush();
    events.append(run.id(), List.of(Event.of("run.resumed", run.superstep(), ObjectValue.empty())));
    if (!here) {
      wakeUps.schedule(run.id(), run.wake(), now, run.origin().priority());
    }
  }

  /// Clears what was scheduled for the run: it happens now.
  private void forget(RunEntity run) {
    if (run.isTimed()) {
      wakeUps.cancel(run.id(), run.wake());
    }
    if (run.origin().parentRun() != null) {
      links.recordProceeding(run.id());
    }
  }

  /// Its tasks for workers were taken out of the queues.
  private void queueTasks(RunEntity run) {
    int _ =
        entities
            .createNativeQuery(
                """
                update task
                   set state = 'queued',
                       start_until = clock_timestamp() + start_ms * interval '1 millisecond'
                 where run = :run and state = 'resting'
                """)
            .setParameter("run", run.id())
            .executeUpdate();
  }

  /// Makes this process the owner, if it has room.
  private boolean here(RunEntity run, Instant now) {
    var localRun =
        run.isReadable()
            ? localRunStarter.reserveAsMember(run.id(), run.origin().caller())
            : Optional.<LocalRuns.LocalRun>empty();
    if (localRun.isEmpty()) {
      return false;
    }
    // Before anything else can fail: from here on the end of the transaction decides on the
    // place.
    localRunStarter.begin(localRun.get(), () -> claim(run));
    run.own(localRun.get().owner(), nextEpoch(run), now);
    return true;
  }

  /// The database computes it: it knows in which of its histories the transaction takes place.
  private long nextEpoch(RunEntity run) {
    return (Long)
        entities
            .createNativeQuery("select next_epoch(:epoch)", Long.class)
            .setParameter("epoch", run.epoch())
            .getSingleResult();
  }

  private Claim claim(RunEntity run) {
    var lease = new Lease(run.id(), run.epoch());
    var parent = Optional.ofNullable(run.origin().parentRun());
    var thread = Optional.ofNullable(run.origin().threadId());
    return new Claim(
        runFinder.header(run),
        lease,
        0,
        RunStatus.QUEUED,
        Optional.empty(),
        parent,
        thread,
        run.origin().caller());
  }
}
