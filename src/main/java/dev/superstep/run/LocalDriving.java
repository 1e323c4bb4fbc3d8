package dev.superstep.run;

import dev.superstep.run.Claims.Claim;
import dev.superstep.run.Drivers.Slot;
import dev.superstep.schedule.Replica;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/// Has this process drive runs: those it was woken for, and those that an API call makes its own in
/// the transaction that makes them runnable, which saves the way through the queue.
@Component
class LocalDriving {
  private final Replica replica;
  private final Drivers drivers;
  private final RunDriving driving;
  private final Signals signals;
  private final Turns turns;
  private final JdbcClient jdbc;

  // It is where all that has to do with driving comes together.
  @SuppressWarnings("checkstyle:ParameterNumber")
  LocalDriving(
      Replica replica,
      Drivers drivers,
      RunDriving driving,
      Signals signals,
      Turns turns,
      JdbcClient jdbc) {
    this.replica = replica;
    this.drivers = drivers;
    this.driving = driving;
    this.signals = signals;
    this.turns = turns;
    this.jdbc = jdbc;
  }

  /// A slot for a run that nobody owns yet; empty if it has to queue, because others wait, or this
  /// process is full, ending or no confirmed member of the cluster.
  Optional<Slot> reserve(String run) {
    return turns.someWait()
        ? Optional.empty()
        : replica.taking().flatMap(owner -> drivers.reserve(run, owner));
  }

  /// The same, after a look whether the database still knows this process. For calls that do not
  /// look in the statement with which they take the run.
  Optional<Slot> reserveAsMember(String run) {
    var slot = reserve(run);
    if (slot.isEmpty()) {
      return slot;
    }
    boolean member = false;
    try {
      member =
          jdbc.sql("select " + Replica.isMember(":owner"))
              .param("owner", slot.get().owner())
              .query(Boolean.class)
              .single();
    } finally {
      if (!member) {
        drivers.release(slot.get());
      }
    }
    return member ? slot : Optional.empty();
  }

  void release(Slot slot) {
    drivers.release(slot);
  }

  /// Starts the driver when the current transaction, which makes the run this process's own, has
  /// committed. If it rolls back the slot is given up. If nobody knows how it ended the slot is
  /// given up, too; a run that is owned here without a slot is found and queued by [NewsPoll].
  ///
  /// @param claim asked for when the transaction is about to commit
  void begin(Slot slot, Supplier<Claim> claim) {
    if (!TransactionSynchronizationManager.isSynchronizationActive()) {
      start(slot, claim.get());
      return;
    }
    TransactionSynchronizationManager.registerSynchronization(
        new TransactionSynchronization() {
          private @Nullable Claim made;

          @Override
          public void beforeCommit(boolean readOnly) {
            made = claim.get();
          }

          @Override
          public void afterCompletion(int status) {
            if (status == STATUS_COMMITTED && made != null) {
              start(slot, made);
            } else {
              drivers.release(slot);
            }
          }
        });
  }

  /// Starts the driver of a run that is owned here.
  void start(Slot slot, Claim claim) {
    signals.signal(slot.run());
    turns.begun(claim.caller(), claim.header().graph());
    drivers.start(slot, () -> drive(claim, slot));
  }

  private void drive(Claim claim, Slot slot) {
    try {
      driving.drive(claim, slot);
    } finally {
      turns.ended(claim.caller(), claim.header().graph());
      signals.rested(slot.run());
    }
  }
}
