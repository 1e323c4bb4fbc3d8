package dev.superstep.run.store;

import dev.superstep.checkpoint.row.Checkpoints;
import dev.superstep.schedule.WakeUps;
import java.util.List;
import org.springframework.stereotype.Component;

/// Erases runs with everything that is stored for them, in the caller's transaction, which has
/// locked them. What belongs to a run goes with its row by foreign keys, but for checkpoints and
/// wake-ups.
@Component
public class RunEraser {
  private final WakeUps wakeUps;
  private final Checkpoints checkpoints;
  private final RunRows runs;

  RunEraser(WakeUps wakeUps, Checkpoints checkpoints, RunRows runs) {
    this.wakeUps = wakeUps;
    this.checkpoints = checkpoints;
    this.runs = runs;
  }

  public void erase(List<String> ids) {
    if (!ids.isEmpty()) {
      wakeUps.forget(ids);
      checkpoints.delete(ids);
      runs.delete(ids.toArray(String[]::new));
    }
  }
}
