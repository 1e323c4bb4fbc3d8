package dev.superstep.run;

import dev.superstep.checkpoint.CheckpointWriter;
import dev.superstep.checkpoint.Checkpoints;
import dev.superstep.engine.EngineLimits;
import dev.superstep.engine.Prepared;
import dev.superstep.engine.StateEdit;
import dev.superstep.graph.Graph;
import dev.superstep.graph.NodeId;
import dev.superstep.problem.ErrorCode;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.state.Change;
import java.util.ArrayList;
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
  int edit(RunEntity run, ResumeRun request) {
    var change = request.change().orElse(Change.NONE);
    var program = lookups.graph(run).program();
    var header = lookups.header(run);
    var at = checkpoints.rebuild(header, run.checkpoint(), program.graph()).orElseThrow();
    var nodes = nodes(request.onward().goTo(), program.graph());
    return switch (new StateEdit(program, header, limits, clock)
        .update(at, change, request.context(), nodes)) {
      case Prepared.Ready(var write) -> {
        writer.write(run.id(), write, List.of());
        yield write.after().number();
      }
      case Prepared.Refused(var error) -> throw Refusals.ofChange(change, error);
    };
  }

  private static List<NodeId> nodes(List<String> ids, Graph graph) {
    var complaints = new Complaints();
    var nodes = new ArrayList<NodeId>();
    for (int i = 0; i < ids.size(); i++) {
      var id = ids.get(i);
      if (NodeId.isValid(id) && graph.has(new NodeId(id))) {
        nodes.add(new NodeId(id));
      } else {
        complaints.add(
            "/goto/" + i,
            ErrorCode.INVALID_VALUE,
            "there is no node '%s' in this graph".formatted(id));
      }
    }
    complaints.throwIfAny();
    return nodes;
  }
}
