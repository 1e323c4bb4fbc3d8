package dev.superstep.run.start;

import dev.superstep.checkpoint.row.CheckpointWriter;
import dev.superstep.checkpoint.row.Checkpoints;
import dev.superstep.checkpoint.row.RunEntity;
import dev.superstep.engine.StateEdit;
import dev.superstep.engine.checkpoint.PreparedCheckpoint;
import dev.superstep.engine.run.EngineLimits;
import dev.superstep.graph.Graph;
import dev.superstep.graph.NodeId;
import dev.superstep.graph.Violations;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.ResumeRun;
import dev.superstep.run.check.ErrorTranslation;
import dev.superstep.run.store.RunFinder;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.state.Change;
import java.util.ArrayList;
import java.util.List;
import org.springframework.stereotype.Component;

/// Edits state and prompt context of a run without a driver, as a checkpoint of its own (E42).
@Component
class StateEditor {
  private final RunFinder runFinder;
  private final Checkpoints checkpoints;
  private final CheckpointWriter writer;
  private final EngineLimits limits;
  private final DatabaseClock clock;

  StateEditor(
      RunFinder runFinder,
      Checkpoints checkpoints,
      CheckpointWriter writer,
      EngineLimits limits,
      DatabaseClock clock) {
    this.runFinder = runFinder;
    this.checkpoints = checkpoints;
    this.writer = writer;
    this.limits = limits;
    this.clock = clock;
  }

  /// The caller holds the lock of the run.
  ///
  /// @return number of the new checkpoint
  int edit(RunEntity run, ResumeRun request) {
    var change = request.change().orElse(Change.NONE);
    var program = runFinder.graph(run).program();
    var header = runFinder.header(run);
    var at = checkpoints.rebuild(header, run.checkpoint(), program.graph()).orElseThrow();
    var nodes = nodes(request.onward().goTo(), program.graph());
    return switch (new StateEdit(program, header, limits, clock)
        .update(at, change, request.context(), nodes)) {
      case PreparedCheckpoint.Ready(var write) -> {
        writer.write(run.id(), write, List.of());
        yield write.after().number();
      }
      case PreparedCheckpoint.Refused(var error) -> throw ErrorTranslation.ofChange(change, error);
    };
  }

  private static List<NodeId> nodes(List<String> ids, Graph graph) {
    var violations = new Violations();
    var nodes = new ArrayList<NodeId>();
    for (int i = 0; i < ids.size(); i++) {
      var id = ids.get(i);
      if (NodeId.isValid(id) && graph.has(new NodeId(id))) {
        nodes.add(new NodeId(id));
      } else {
        violations.error(
            "/goto/" + i,
            ErrorCode.INVALID_VALUE.code(),
            "there is no node '%s' in this graph".formatted(id));
      }
    }
    ServiceException.throwIfAny(violations);
    return nodes;
  }
}
