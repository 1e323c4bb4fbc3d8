package dev.superstep.run.start;

import dev.superstep.engine.run.Event;
import dev.superstep.run.drive.LocalProgress;
import dev.superstep.run.drive.LocalRunStarter;
import dev.superstep.run.drive.LocalRuns.LocalRun;
import dev.superstep.run.store.RunOrigin;
import dev.superstep.schedule.WakeUps;
import dev.superstep.schedule.replica.DatabaseClock;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/// Inserts a new run: head, request, first checkpoint and events, in one statement. If this process
/// has room it owns the run and drives it at once; else the run is queued.
@Component
public class RunInserter {
  private final RunInsertBatcher runInsertBatcher;
  private final LocalClaims localClaims;
  private final LocalRunStarter local;
  private final WakeUps wakeUps;
  private final NewRunViews views;
  private final TransactionOperations transaction;
  private final DatabaseClock clock;

  RunInserter(
      RunInsertBatcher runInsertBatcher,
      LocalClaims localClaims,
      LocalRunStarter local,
      WakeUps wakeUps,
      NewRunViews views,
      TransactionOperations transaction,
      DatabaseClock clock) {
    this.runInsertBatcher = runInsertBatcher;
    this.localClaims = localClaims;
    this.local = local;
    this.wakeUps = wakeUps;
    this.views = views;
    this.transaction = transaction;
    this.clock = clock;
  }

  /// Joins the current transaction; without one, the run is on disk when this returns.
  ///
  /// @param startAt empty: at once
  /// @return if the run is driven here, its view without a query of the database
  Optional<LocalProgress> insert(NewRun newRun, Optional<Instant> startAt) {
    var now = clock.instant();
    var later = startAt.filter(it -> it.isAfter(now));
    if (later.isEmpty()) {
      var localRun = local.reserve(newRun.id(), newRun.origin().caller());
      if (localRun.isPresent()) {
        var progress = insertOwned(newRun, localRun.get());
        if (progress.isPresent()) {
          return progress;
        }
      }
    }
    transaction.executeWithoutResult(_ -> queue(newRun, later, now));
    return Optional.empty();
  }

  /// As [#insert], for a caller that does not follow the run.
  void insertAtOnce(NewRun newRun) {
    insert(newRun, Optional.empty());
  }

  /// @return empty if this process is no member of the cluster any more; nothing is stored then
  private Optional<LocalProgress> insertOwned(NewRun newRun, LocalRun localRun) {
    var events = List.of(created(newRun.origin()), Event.of("run.started", ObjectValue.empty()));
    var runInsert = new RunInsert(newRun, Optional.empty(), events);
    Optional<Instant> insertedAt;
    try {
      runInsertBatcher.insert(Optional.of(localRun.owner()), runInsert);
      insertedAt = runInsert.at();
    } catch (RuntimeException e) {
      local.release(localRun);
      throw e;
    }
    if (insertedAt.isEmpty()) {
      local.release(localRun);
      return Optional.empty();
    }
    var progress = views.progress(newRun, insertedAt.get());
    localRun.watch(progress);
    local.begin(localRun, () -> localClaims.claim(runInsert, insertedAt.get()));
    return Optional.of(progress);
  }

  private void queue(NewRun newRun, Optional<Instant> startAt, Instant now) {
    var events = List.of(created(newRun.origin()));
    runInsertBatcher.insert(Optional.empty(), new RunInsert(newRun, startAt, events));
    int priority = newRun.origin().priority();
    wakeUps.schedule(newRun.id(), InsertRunsStatement.FIRST_WAKE, startAt.orElse(now), priority);
  }

  public static Event created(RunOrigin origin) {
    var data =
        ObjectValue.of("graph", Value.of(origin.graph()))
            .plus("version", Value.of((long) origin.version()));
    var parent = origin.parentRun();
    return Event.of("run.created", parent == null ? data : data.plus("parent", Value.of(parent)));
  }
}
