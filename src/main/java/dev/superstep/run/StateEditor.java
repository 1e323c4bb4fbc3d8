package dev.superstep.run;

import dev.superstep.checkpoint.CheckpointWriter;
import dev.superstep.checkpoint.Checkpoints;
import dev.superstep.context.ContextEdit;
import dev.superstep.engine.EngineLimits;
import dev.superstep.engine.Prepared;
import dev.superstep.engine.StateEdit;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.state.Change;
import java.util.List;
import org.springframework.stereotype.Component;

/// Edits state and prompt context of a run that nobody drives, as a checkpoint of its own (E42).
@Component
class StateEditor {
  private final Lookups lookups;
  private final Checkpoints checkpoints;
  private final CheckpointWriter writer;
  private final EngineLimits limits;
  private final DatabaseClock clock;

  StateEditor(
      Lookups lookups,
      Checkpoints checkpoints,
      CheckpointWriter writer,
      EngineLimits limits,
      DatabaseClock clock) {
    this.lookups = lookups;
    this.checkpoints = checkpoints;
    this.writer = writer;
    this.limits = limits;
    this.clock = clock;
  }

  /// The caller holds the lock of the run.
  ///
  /// @return number of the new checkpoint
  int edit(RunEntity run, Change change, ContextEdit context) {
    var program = lookups.graph(run).program();
    var header = lookups.header(run);
    var at = checkpoints.rebuild(header, run.checkpoint(), program.graph()).orElseThrow();
    return switch (new StateEdit(program, header, limits, clock).update(at, change, context)) {
      case Prepared.Ready(var write) -> {
        writer.write(run.id(), write, List.of());
        yield write.after().number();
      }
      case Prepared.Refused(var error) -> throw Refusals.ofChange(change, error);
    };
  }
}
