package dev.superstep.schedule;

import dev.superstep.database.LoggedFailure;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/// Runs all polls of this replica on one thread, each with its own pause.
@Component
final class ReplicaPoller implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(ReplicaPoller.class);

  private final List<Turn> turns;
  private final Replica replica;
  private volatile boolean running;

  /// When a poll is due.
  private static final class Turn {
    private final ReplicaPoll poll;
    private long dueNanos = System.nanoTime();
    private boolean failing;

    Turn(ReplicaPoll poll) {
      this.poll = poll;
    }

    Duration left() {
      return Duration.ofNanos(Math.max(0, dueNanos - System.nanoTime()));
    }
  }

  ReplicaPoller(List<ReplicaPoll> polls, Replica replica) {
    this.turns = polls.stream().map(Turn::new).toList();
    this.replica = replica;
  }

  @Override
  public void start() {
    running = true;
    Thread.ofVirtual().name("replica-poll").start(this::loop);
  }

  private void loop() {
    try {
      while (running) {
        var next = turns.stream().min(Comparator.comparing(Turn::left)).orElseThrow();
        Thread.sleep(next.left());
        poll(next);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void poll(Turn turn) {
    try {
      replica.id().ifPresent(turn.poll::poll);
      turn.failing = false;
    } catch (RuntimeException | Error e) {
      // Every failure is survived: without this thread no poll would follow.
      report(turn, e);
    }
    turn.dueNanos = System.nanoTime() + turn.poll.pause().toNanos();
  }

  /// One line for failures in succession, and none while the database is away.
  private static void report(Turn turn, Throwable failure) {
    var name = turn.poll.getClass().getSimpleName();
    if (!turn.failing) {
      turn.failing = true;
      log.warn("{} failed; it is repeated until it succeeds: {}", name, new LoggedFailure(failure));
    }
    log.debug("{} failed", name, failure);
  }

  @Override
  public void stop() {
    running = false;
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  /// Polling continues while drivers are asked to end.
  @Override
  public int getPhase() {
    return SmartLifecycle.DEFAULT_PHASE - 1;
  }
}
