package dev.superstep.run.start;

import dev.superstep.checkpoint.StoreUnavailableException;
import dev.superstep.checkpoint.WriteBatcher;
import dev.superstep.definition.GraphRegistry;
import dev.superstep.run.check.LimitsInForce;
import dev.superstep.run.drive.LocalProgress;
import dev.superstep.run.drive.LocalRunStarter;
import dev.superstep.run.drive.LocalRuns.LocalRun;
import dev.superstep.run.start.NewRun.Inserted;
import dev.superstep.tenant.Share;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
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
  private final WriteBatcher<NewRun> queues;
  private final LocalRunStarter local;
  private final RunEnqueuer enqueuer;
  private final GraphRegistry graphs;
  private final LimitsInForce limits;
  private final EarlyStarts earlyStarts;

  /// @param owner that drives it from the start
  private record OwnedInsert(String owner, NewRun newRun) implements WriteBatcher.Member {
    @Override
    public long bytes() {
      return newRun.bytes();
    }

    @Override
    public Share share() {
      return newRun.share();
    }
  }

  RunInserter(
      InsertRunsStatement statement,
      WriteBatcher.BatchBounds bounds,
      LocalRunStarter local,
      RunEnqueuer enqueuer,
      GraphRegistry graphs,
      LimitsInForce limits,
      TransactionOperations transaction,
      EarlyStarts earlyStarts) {
    this.statement = statement;
    this.writeBatcher = new WriteBatcher<>(bounds, this::write);
    this.queues =
        new WriteBatcher<>(
            bounds,
            batch ->
                together(batch, it -> transaction.executeWithoutResult(_ -> enqueuer.queue(it))));
    this.local = local;
    this.enqueuer = enqueuer;
    this.graphs = graphs;
    this.limits = limits;
    this.earlyStarts = earlyStarts;
  }

  /// Joins the current transaction; without one, the run is on disk when this returns.
  ///
  /// @return if the run is driven here, its view without a query of the database
  Optional<LocalProgress> insert(NewRun newRun) {
    var progress = insertHere(newRun);
    if (progress.isEmpty()) {
      queue(newRun);
    }
    return progress;
  }

  /// Runs that are queued at the same moment share a transaction: many of one caller take few
  /// connections, for which others would wait behind all of them.
  private void queue(NewRun newRun) {
    if (TransactionSynchronizationManager.isActualTransactionActive()) {
      enqueuer.queue(List.of(newRun));
    } else {
      queues.write(newRun);
      if (newRun.inserted().isEmpty()) {
        throw new DataAccessResourceFailureException("the run was not inserted");
      }
    }
  }

  /// Inserts a run for a caller who waits for its end: if it is driven here, it begins at once, and
  /// is inserted with what its driver has committed before anybody else could notice. It is on disk
  /// when this returns.
  Optional<LocalProgress> startEarlyOrInsert(NewRun newRun) {
    return startEarly(newRun).or(() -> insert(newRun.withoutEarlyStart()));
  }

  /// Like [#insert], but does nothing unless the run is driven here and what is remembered of its
  /// graph still holds.
  Optional<LocalProgress> insertHere(NewRun newRun) {
    return newRun.startAt().isPresent()
        ? Optional.empty()
        : local
            .reserve(newRun.id(), newRun.origin().caller())
            .flatMap(it -> insertOwned(newRun, it));
  }

  /// Whether there is room for a run of this share, and none that comes first.
  boolean drivesHere(Share share) {
    return local.hasRoom(share);
  }

  /// Like [#startEarlyOrInsert], but does nothing unless the run is driven here and what is
  /// remembered of its graph still holds.
  Optional<LocalProgress> startEarlyOrInsertHere(NewRun newRun) {
    return startEarly(newRun).or(() -> insertHere(newRun.withoutEarlyStart()));
  }

  /// @return empty if nothing is stored
  private Optional<LocalProgress> startEarly(NewRun newRun) {
    var last = statement.last();
    return last.isEmpty() || newRun.startAt().isPresent() || !earlyStarts.admit(newRun.share())
        ? Optional.empty()
        : local
            .reserve(newRun.id(), newRun.origin().caller())
            .flatMap(it -> begin(newRun, it, last.get()));
  }

  /// Whether a run of this share would begin before it is inserted.
  boolean startsEarly(Share share) {
    return statement.last().isPresent() && earlyStarts.admit(share);
  }

  /// @param last what the last run was given
  /// @return empty if nothing is stored
  private Optional<LocalProgress> begin(NewRun newRun, LocalRun localRun, Inserted last) {
    var early =
        earlyStarts.store(newRun, it -> writeBatcher.write(new OwnedInsert(localRun.owner(), it)));
    LocalProgress progress;
    try {
      var now = earlyStarts.now();
      var started = newRun.startEarly(now, last);
      progress = newRun.progress(graphs, limits, now, early::drop);
      localRun.watch(progress);
      localRun.writeTo(early);
      local.begin(localRun, () -> newRun.claim(started, graphs));
    } catch (RuntimeException e) {
      local.release(localRun);
      throw e;
    }
    try {
      return early.await().map(_ -> progress);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreUnavailableException("interrupted before the run was on disk");
    }
  }

  /// @return empty if this process is no member of the cluster any more, or what is remembered of
  ///   the graph does not hold; nothing is stored then
  private Optional<LocalProgress> insertOwned(NewRun newRun, LocalRun localRun) {
    Optional<Inserted> inserted;
    try {
      insert(localRun.owner(), newRun);
      inserted = newRun.inserted();
    } catch (RuntimeException e) {
      local.release(localRun);
      throw e;
    }
    if (inserted.isEmpty()) {
      local.release(localRun);
      return Optional.empty();
    }
    try {
      var progress = newRun.progress(graphs, limits, inserted.get().at(), () -> {});
      localRun.watch(progress);
      local.begin(localRun, () -> newRun.claim(inserted.get(), graphs));
      return Optional.of(progress);
    } catch (RuntimeException e) {
      local.release(localRun); // the run, which is owned here, is found and queued
      throw e;
    }
  }

  /// When this returns, the insert has its result. Runs that are started at the same moment share a
  /// statement, and so a write to disk, unless their insert is part of a transaction.
  private void insert(String owner, NewRun newRun) {
    if (TransactionSynchronizationManager.isActualTransactionActive()) {
      statement.execute(Optional.of(owner), List.of(newRun));
    } else {
      writeBatcher.write(new OwnedInsert(owner, newRun));
    }
  }

  /// The name of this replica may have changed between two inserts.
  private void write(List<OwnedInsert> batch) {
    var owners = batch.stream().map(OwnedInsert::owner).distinct().toList();
    for (var owner : owners) {
      together(
          batch.stream().filter(it -> it.owner().equals(owner)).map(OwnedInsert::newRun).toList(),
          it -> statement.execute(Optional.of(owner), it));
    }
  }

  private static void together(List<NewRun> newRuns, Consumer<List<NewRun>> insert) {
    try {
      insert.accept(newRuns);
    } catch (TransientDataAccessException | DataAccessResourceFailureException e) {
      newRuns.forEach(it -> it.failed(e));
    } catch (DataAccessException e) {
      if (newRuns.size() == 1) {
        newRuns.getFirst().failed(e);
      } else {
        log.debug("{} runs are inserted one by one", newRuns.size(), e);
        newRuns.forEach(it -> together(List.of(it), insert));
      }
    } catch (RuntimeException e) {
      newRuns.forEach(it -> it.failed(e));
    } catch (Error e) {
      var unknown = new DataAccessResourceFailureException("the insert may have taken place", e);
      newRuns.forEach(it -> it.failed(unknown));
      throw e;
    }
  }
}
