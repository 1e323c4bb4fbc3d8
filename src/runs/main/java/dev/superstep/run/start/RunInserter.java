package dev.superstep.run.start;

import dev.superstep.checkpoint.WriteBatcher;
import dev.superstep.checkpoint.row.RunOrigin;
import dev.superstep.definition.GraphRegistry;
import dev.superstep.engine.run.Event;
import dev.superstep.run.check.LimitsInForce;
import dev.superstep.run.drive.LocalProgress;
import dev.superstep.run.drive.LocalRunStarter;
import dev.superstep.run.drive.LocalRuns.LocalRun;
import dev.superstep.run.start.InsertRunsStatement.RunInsert;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.schedule.WakeUps;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/// Inserts a new run: head, request, first checkpoint and events, in one statement. If this process
/// has room it owns the run and drives it at once; else the run is queued.
@Component
class RunInserter {
  private static final Logger log = LoggerFactory.getLogger(RunInserter.class);

  private final InsertRunsStatement statement;
  private final WriteBatcher<OwnedInsert> writeBatcher;
  private final LocalRunStarter local;
  private final WakeUps wakeUps;
  private final GraphRegistry graphs;
  private final LimitsInForce limits;
  private final TransactionOperations transaction;
  private final DatabaseClock clock;

  /// @param owner that drives it from the start
  private record OwnedInsert(String owner, RunInsert runInsert) implements WriteBatcher.Member {
    @Override
    public long bytes() {
      return runInsert.bytes();
    }
  }

  RunInserter(
      InsertRunsStatement statement,
      WriteBatcher.BatchBounds bounds,
      LocalRunStarter local,
      WakeUps wakeUps,
      GraphRegistry graphs,
      LimitsInForce limits,
      TransactionOperations transaction,
      DatabaseClock clock) {
    this.statement = statement;
    this.writeBatcher = new WriteBatcher<>(bounds, this::write);
    this.local = local;
    this.wakeUps = wakeUps;
    this.graphs = graphs;
    this.limits = limits;
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
      insert(Optional.of(localRun.owner()), runInsert);
      insertedAt = runInsert.at();
    } catch (RuntimeException e) {
      local.release(localRun);
      throw e;
    }
    if (insertedAt.isEmpty()) {
      local.release(localRun);
      return Optional.empty();
    }
    var progress = newRun.progress(graphs, limits, insertedAt.get());
    localRun.watch(progress);
    local.begin(localRun, () -> runInsert.claim(graphs, insertedAt.get()));
    return Optional.of(progress);
  }

  private void queue(NewRun newRun, Optional<Instant> startAt, Instant now) {
    var events = List.of(created(newRun.origin()));
    insert(Optional.empty(), new RunInsert(newRun, startAt, events));
    int priority = newRun.origin().priority();
    wakeUps.schedule(newRun.id(), InsertRunsStatement.FIRST_WAKE, startAt.orElse(now), priority);
  }

  /// When this returns, the insert has its result. Runs that are started at the same moment share a
  /// statement, and so a write to disk, unless their insert is part of a transaction.
  private void insert(Optional<String> owner, RunInsert runInsert) {
    if (owner.isEmpty() || TransactionSynchronizationManager.isActualTransactionActive()) {
      statement.execute(owner, List.of(runInsert));
    } else {
      writeBatcher.write(new OwnedInsert(owner.get(), runInsert));
    }
  }

  /// The name of this replica may have changed between two inserts.
  private void write(List<OwnedInsert> batch) {
    var owners = batch.stream().map(OwnedInsert::owner).distinct().toList();
    for (var owner : owners) {
      var runInserts =
          batch.stream()
              .filter(it -> it.owner().equals(owner))
              .map(OwnedInsert::runInsert)
              .toList();
      together(owner, runInserts);
    }
  }

  private void together(String owner, List<RunInsert> runInserts) {
    try {
      statement.execute(Optional.of(owner), runInserts);
    } catch (TransientDataAccessException | DataAccessResourceFailureException e) {
      runInserts.forEach(it -> it.failed(e));
    } catch (DataAccessException e) {
      if (runInserts.size() == 1) {
        runInserts.getFirst().failed(e);
      } else {
        log.debug("{} runs are inserted one by one", runInserts.size(), e);
        runInserts.forEach(it -> together(owner, List.of(it)));
      }
    } catch (RuntimeException e) {
      runInserts.forEach(it -> it.failed(e));
    }
  }

  static Event created(RunOrigin origin) {
    var data =
        ObjectValue.of("graph", Value.of(origin.graph()))
            .plus("version", Value.of((long) origin.version()));
    var parent = origin.parentRun();
    return Event.of("run.created", parent == null ? data : data.plus("parent", Value.of(parent)));
  }
}
