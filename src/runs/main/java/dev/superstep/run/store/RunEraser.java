package dev.superstep.run.store;

import dev.superstep.checkpoint.row.Checkpoints;
import dev.superstep.schedule.WakeUps;
import jakarta.persistence.EntityManager;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hibernate.engine.spi.SessionImplementor;
import org.springframework.stereotype.Component;

/// Erases runs with everything that is stored for them, in the caller's transaction, which has
/// locked them. What belongs to a run goes with its row by foreign keys, but for checkpoints and
/// wake-ups.
@Component
public class RunEraser {
  private final WakeUps wakeUps;
  private final Checkpoints checkpoints;
  private final RunRows runs;
  private final EntityManager entities;

  RunEraser(WakeUps wakeUps, Checkpoints checkpoints, RunRows runs, EntityManager entities) {
    this.wakeUps = wakeUps;
    this.checkpoints = checkpoints;
    this.runs = runs;
    this.entities = entities;
  }

  public void erase(List<String> ids) {
    if (!ids.isEmpty()) {
      wakeUps.forget(ids);
      checkpoints.delete(ids);
      runs.delete(ids.toArray(String[]::new));
      detach(Set.copyOf(ids));
    }
  }

  /// Whoever refreshes the entities of the transaction finds no row of these.
  private void detach(Set<String> ids) {
    var session = entities.unwrap(SessionImplementor.class);
    for (var entity : Map.copyOf(session.getPersistenceContext().getEntitiesByKey()).entrySet()) {
      if (entity.getKey().getIdentifier() instanceof String id && ids.contains(id)) {
        session.detach(entity.getValue());
      }
    }
  }
}
