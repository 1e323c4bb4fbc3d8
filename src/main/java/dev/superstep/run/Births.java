package dev.superstep.run;

import dev.superstep.checkpoint.CheckpointWriter;
import dev.superstep.engine.Commit;
import dev.superstep.engine.Event;
import dev.superstep.engine.RunHeader;
import dev.superstep.run.RunInputEntity.Asked;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.schedule.WakeUps;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import jakarta.persistence.EntityManager;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/// Puts a new run into the database: head, request, first checkpoint, event and wake-up, all in the
/// current transaction.
@Component
class Births {
  private final EntityManager entities;
  private final CheckpointWriter checkpoints;
  private final WakeUps wakeUps;
  private final DatabaseClock clock;

  Births(
      EntityManager entities, CheckpointWriter checkpoints, WakeUps wakeUps, DatabaseClock clock) {
    this.entities = entities;
    this.checkpoints = checkpoints;
    this.wakeUps = wakeUps;
    this.clock = clock;
  }

  /// A run that is about to exist.
  record Newborn(
      RunHeader header, RunOrigin origin, ObjectValue input, Asked asked, Commit.Write first) {}

  /// @param startAt empty: at once
  void bear(Newborn newborn, Optional<Instant> startAt) {
    var now = clock.instant();
    var id = newborn.header().id();
    var run = new RunEntity(id, newborn.origin(), newborn.first().after().superstep(), now);
    startAt.filter(it -> it.isAfter(now)).ifPresent(run::sleepUntil);
    entities.persist(run);
    entities.persist(new RunInputEntity(id, newborn.input(), newborn.asked()));
    entities.flush();
    checkpoints.write(id, newborn.first(), List.of(created(newborn.origin())));
    wakeUps.schedule(id, run.wake(), startAt.orElse(now), newborn.origin().priority());
  }

  private static Event created(RunOrigin origin) {
    var data =
        ObjectValue.of("graph", Value.of(origin.graph()))
            .plus("version", Value.of((long) origin.version()));
    var parent = origin.parentRun();
    return Event.of("run.created", parent == null ? data : data.plus("parent", Value.of(parent)));
  }
}
