package dev.superstep.run.store;

import dev.superstep.engine.run.RunStatus;
import dev.superstep.run.store.EndedRuns.EndedPosition;
import dev.superstep.run.store.EndedRuns.EndedRun;
import dev.superstep.schedule.DatabaseClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.NonTransientDataAccessException;
import org.springframework.dao.NonTransientDataAccessResourceException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/// Walks over overdue runs, some at a time, and purges them or their history. One replica of the
/// cluster takes a turn at a time; that two overlap when a replica hangs is harmless.
///
/// What a walk has to leave, because a thread or a parent needs it, it passes: so it is looked at
/// once in a round, not in every batch. Where the walks are is kept in memory only: a replica that
/// takes over begins at the oldest end.
@Component
class RetentionJob {
  private static final Logger log = LoggerFactory.getLogger(RetentionJob.class);

  /// Runs that are looked at in one step.
  static final int STEP_RUNS = 100;

  /// Checkpoints of the runs that are purged in one transaction, unless a single run has more.
  static final int STEP_WEIGHT = 5_000;

  private static final Duration TURN_MAX = Duration.ofSeconds(2);
  private static final Duration BETWEEN_ROUNDS = Duration.ofSeconds(10);
  private static final List<RunStatus> ENDS =
      List.of(RunStatus.SUCCEEDED, RunStatus.FAILED, RunStatus.CANCELLED);

  private final RetentionSettings settings;
  private final EndedRuns endedRuns;
  private final RunPurge purge;
  private final HistoryTrim trim;
  private final IdleThreads idleThreads;
  private final RetentionMetrics metrics;
  private final DatabaseClock clock;

  private final Deque<Walk> walks = new ArrayDeque<>();

  /// Runs that ended earlier have lost their history already.
  private final Map<Target, EndedPosition> trimmed = new HashMap<>();

  private long roundEnded = System.nanoTime() - BETWEEN_ROUNDS.toNanos();

  RetentionJob(
      RetentionSettings settings,
      EndedRuns endedRuns,
      RunPurge purge,
      HistoryTrim trim,
      IdleThreads idleThreads,
      RetentionMetrics metrics,
      DatabaseClock clock) {
    this.settings = settings;
    this.endedRuns = endedRuns;
    this.purge = purge;
    this.trim = trim;
    this.idleThreads = idleThreads;
    this.metrics = metrics;
    this.clock = clock;
  }

  /// The runs of a graph that ended in the same way.
  private record Target(String graph, RunStatus status) {}

  /// @param keep how long ago the runs ended, at least, over which it walks
  private record Walk(
      Target target, RetentionPolicy policy, Duration keep, RetentionKind kind, EndedPosition at) {
    Walk from(EndedPosition place) {
      return new Walk(target, policy, keep, kind, place);
    }
  }

  private enum RetentionKind {
    PURGE,
    TRIM
  }

  /// Steps, with pauses, until the time of a turn is over or there is nothing to do.
  synchronized void takeTurn() {
    if (!settings.enabled()) {
      return;
    }
    long end = System.nanoTime() + TURN_MAX.toNanos();
    long pause = 0;
    do {
      if (!rest(pause)) {
        return;
      }
      long begun = System.nanoTime();
      if (!step()) {
        return;
      }
      long took = System.nanoTime() - begun;
      pause = took * (100 - settings.sharePercent()) / settings.sharePercent();
    } while (System.nanoTime() + pause < end);
  }

  private static boolean rest(long nanos) {
    try {
      Thread.sleep(Duration.ofNanos(nanos));
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /// @return whether there may be more to do
  private boolean step() {
    if (walks.isEmpty()) {
      if (System.nanoTime() - roundEnded < BETWEEN_ROUNDS.toNanos()) {
        return false;
      }
      beginRound();
    }
    var walk = walks.poll();
    if (walk != null) {
      advance(walk);
    }
    if (walks.isEmpty()) {
      roundEnded = System.nanoTime();
      metrics.endRound();
    }
    return !walks.isEmpty();
  }

  private void beginRound() {
    purgeIdleThreads();
    var graphs = endedRuns.graphs();
    // Inline graphs come and go.
    var known = Set.copyOf(graphs);
    trimmed.keySet().removeIf(it -> !known.contains(it.graph()));
    for (var graph : graphs) {
      var policy = settings.of(graph);
      for (var status : ENDS) {
        var target = new Target(graph, status);
        add(target, policy, policy.keeps(status), RetentionKind.PURGE);
        add(target, policy, policy.keepsHistory(status), RetentionKind.TRIM);
      }
    }
  }

  private void purgeIdleThreads() {
    try {
      settings.idle().ifPresent(idleThreads::purge);
    } catch (DataAccessException | TransactionException e) {
      log.warn("Threads without runs cannot be purged yet", e);
    }
  }

  private void add(
      Target target, RetentionPolicy policy, Optional<Duration> keep, RetentionKind kind) {
    var at =
        kind == RetentionKind.TRIM
            ? trimmed.getOrDefault(target, EndedPosition.START)
            : EndedPosition.START;
    keep.ifPresent(it -> walks.add(new Walk(target, policy, it, kind, at)));
  }

  /// A walk that fails is left for the next round, so that it does not keep others from their turn.
  private void advance(Walk walk) {
    try {
      var page =
          endedRuns.list(
              walk.target().graph(), walk.target().status(), walk.keep(), walk.at(), STEP_RUNS);
      var batch = batch(page);
      if (batch.isEmpty()) {
        return;
      }
      var place = batch.getLast().place();
      switch (walk.kind()) {
        case PURGE -> purge(walk, batch);
        case TRIM -> {
          metrics.trimmed(trim.trim(ids(batch), walk.policy().checkpoints()));
          trimmed.put(walk.target(), place);
        }
      }
      if (page.size() == STEP_RUNS || batch.size() < page.size()) {
        walks.add(walk.from(place));
      }
    } catch (DataAccessException | TransactionException e) {
      log.warn("Runs of graph {} cannot be purged yet", walk.target().graph(), e);
    }
  }

  private void purge(Walk walk, List<EndedRun> batch) {
    var roots = batch.stream().filter(it -> !it.child()).toList();
    int purged = purgeRuns(walk, ids(roots));
    if (purged > 0) {
      var due = roots.getFirst().place().finishedAt().toInstant().plus(walk.keep());
      metrics.purged(purged, Duration.between(due, clock.instant()));
    }
  }

  /// Runs one by one if they cannot be purged together, so that one that the database refuses does
  /// not keep those behind it.
  private int purgeRuns(Walk walk, List<String> runs) {
    try {
      return purge.purge(new RunPurge.PurgeBatch(runs, walk.target().status(), walk.policy()));
    } catch (NonTransientDataAccessException e) {
      if (e instanceof NonTransientDataAccessResourceException) {
        throw e;
      }
      if (runs.size() == 1) {
        log.warn("Run {} cannot be purged: {}", runs.getFirst(), e.getMessage());
        return 0;
      }
      log.warn("{} runs cannot be purged together; each is tried alone", runs.size(), e);
      return runs.stream().mapToInt(it -> purgeRuns(walk, List.of(it))).sum();
    }
  }

  private static List<String> ids(List<EndedRun> runs) {
    return runs.stream().map(EndedRun::id).toList();
  }

  /// As many of the first ones as one transaction may purge, one at least.
  private static List<EndedRun> batch(List<EndedRun> page) {
    var batch = new ArrayList<EndedRun>();
    long weight = 0;
    for (var run : page) {
      weight += run.weight();
      if (weight > STEP_WEIGHT && !batch.isEmpty()) {
        break;
      }
      batch.add(run);
    }
    return batch;
  }
}
