package dev.superstep.langgraph.run;

import dev.superstep.checkpoint.CheckpointRef;
import dev.superstep.run.CheckedAnswers;
import dev.superstep.run.CheckedStart;
import dev.superstep.run.ContinueThread;
import dev.superstep.run.IfBusy;
import java.util.Optional;

/// What a call asks for, checked before its transaction. What becomes of it is decided there, from
/// the state of the thread under its lock.
sealed interface RunPlan {
  /// Begins a run with new input.
  record Start(CheckedStart start) implements RunPlan {
    @Override
    public IfBusy ifBusy() {
      return start.request().options().ifBusy();
    }

    @Override
    public RunPlan undoing(CheckpointRef before) {
      var from = start.request().options().from().or(() -> Optional.of(before));
      return new Start(start.with(IfBusy.INTERRUPT, from));
    }
  }

  /// Goes on with what is pending.
  record GoOn(ContinueThread request, CheckedAnswers answers) implements RunPlan {
    @Override
    public IfBusy ifBusy() {
      return request.ifBusy();
    }

    @Override
    public RunPlan undoing(CheckpointRef before) {
      var from = request.from().or(() -> Optional.of(before));
      return new GoOn(
          new ContinueThread(
              request.thread(), from, request.work(), request.given(), IfBusy.INTERRUPT),
          answers);
    }
  }

  IfBusy ifBusy();

  /// The same from where the run under way was before a call went on with it: that call is undone,
  /// and not what came before.
  RunPlan undoing(CheckpointRef before);
}
