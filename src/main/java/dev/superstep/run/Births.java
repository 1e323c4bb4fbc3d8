package dev.superstep.run;

import dev.superstep.engine.Commit;
import dev.superstep.engine.Event;
import dev.superstep.engine.RunHeader;
import dev.superstep.run.Drivers.Slot;
import dev.superstep.run.RunInputEntity.Asked;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.schedule.WakeUps;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/// Puts a new run into the database: head, request, first checkpoint, events, in one statement. If
/// this process has room the run is born as its own and driven at once; else it is queued.
@Component
class Births {
  private final GroupBirth group;
  private final Newborns newborns;
  private final LocalDriving local;
  private final WakeUps wakeUps;
  private final Surroundings surroundings;

  @Component
  record Surroundings(NewbornViews views, TransactionOperations transaction, DatabaseClock clock) {}

  Births(
      GroupBirth group,
      Newborns newborns,
      LocalDriving local,
      WakeUps wakeUps,
      Surroundings surroundings) {
    this.group = group;
    this.newborns = newborns;
    this.local = local;
    this.wakeUps = wakeUps;
    this.surroundings = surroundings;
  }

  /// A run that is about to exist.
  record Newborn(
      RunHeader header, RunOrigin origin, ObjectValue input, Asked asked, Commit.Write first) {
    String id() {
      return header.id();
    }
  }

  /// Joins the current transaction; without one, the run is on disk when this returns.
  ///
  /// @param startAt empty: at once
  /// @return if the run is driven here, what can be seen of it without asking the database
  Optional<LocalProgress> bear(Newborn newborn, Optional<Instant> startAt) {
    var now = surroundings.clock().instant();
    var later = startAt.filter(it -> it.isAfter(now));
    if (later.isEmpty()) {
      var slot = local.reserve(newborn.id());
      if (slot.isPresent()) {
        var progress = bearHere(newborn, slot.get());
        if (progress.isPresent()) {
          return progress;
        }
      }
    }
    surroundings.transaction().executeWithoutResult(_ -> queue(newborn, later, now));
    return Optional.empty();
  }

  /// @return empty if this process is no member of the cluster any more; nothing is stored then
  private Optional<LocalProgress> bearHere(Newborn newborn, Slot slot) {
    Optional<Instant> bornAt;
    try {
      var events = List.of(created(newborn.origin()), Event.of("run.started", ObjectValue.empty()));
      var birth = new Birth(newborn, Optional.empty(), events);
      group.bear(Optional.of(slot.owner()), birth);
      bornAt = birth.at();
    } catch (RuntimeException e) {
      local.release(slot);
      throw e;
    }
    if (bornAt.isEmpty()) {
      local.release(slot);
      return Optional.empty();
    }
    var progress = surroundings.views().progress(newborn, bornAt.get());
    slot.watch(progress);
    local.begin(slot, () -> newborns.claim(newborn, bornAt.get()));
    return Optional.of(progress);
  }

  private void queue(Newborn newborn, Optional<Instant> startAt, Instant now) {
    var events = List.of(created(newborn.origin()));
    group.bear(Optional.empty(), new Birth(newborn, startAt, events));
    int priority = newborn.origin().priority();
    wakeUps.schedule(newborn.id(), BirthStatement.FIRST_WAKE, startAt.orElse(now), priority);
  }

  static Event created(RunOrigin origin) {
    var data =
        ObjectValue.of("graph", Value.of(origin.graph()))
            .plus("version", Value.of((long) origin.version()));
    var parent = origin.parentRun();
    return Event.of("run.created", parent == null ? data : data.plus("parent", Value.of(parent)));
  }
}
