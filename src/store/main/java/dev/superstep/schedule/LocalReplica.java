package dev.superstep.schedule;

import com.github.kagkarlsson.scheduler.Scheduler;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// This process as a member, as those see it who are woken by the scheduler: it knows the scheduler
/// of runs only once that is started, since the scheduler's tasks need them.
@Component
final class LocalReplica implements Replica {
  private final Membership membership;
  private volatile @Nullable Scheduler runs;
  private volatile boolean running;
  private volatile boolean leaving;

  LocalReplica(Membership membership) {
    this.membership = membership;
  }

  /// @param runs wakes runs, from now on
  void begin(Scheduler runs) {
    this.runs = runs;
    running = true;
  }

  /// The process is about to end: from now on it is not ready, and takes on nothing new.
  void leave() {
    leaving = true;
    pauseClaims();
  }

  void end() {
    running = false;
    membership.name().ifPresent(membership::release);
  }

  boolean isRunning() {
    return running;
  }

  @Override
  public Optional<String> id() {
    return running ? membership.confirmed() : Optional.empty();
  }

  @Override
  public Optional<String> taking() {
    return leaving || isFull() ? Optional.empty() : id();
  }

  @Override
  public boolean leaving() {
    return leaving;
  }

  private boolean isFull() {
    var scheduler = runs;
    return scheduler != null && scheduler.getSchedulerState().isPaused();
  }

  @Override
  public void pauseClaims() {
    var scheduler = runs;
    if (scheduler != null && !isFull()) {
      scheduler.pause();
    }
  }

  @Override
  public void resumeClaims() {
    var scheduler = runs;
    if (scheduler != null && running && !leaving && isFull()) {
      scheduler.resume();
      pollDueRuns();
    }
  }

  /// Before the scheduler is started there is no need to: it begins with a poll.
  @Override
  public void pollDueRuns() {
    var scheduler = runs;
    if (scheduler != null) {
      scheduler.triggerCheckForDueExecutions();
    }
  }
}
