package dev.superstep.run.start;

import dev.superstep.checkpoint.row.Checkpoints;
import dev.superstep.checkpoint.row.RunEntity;
import dev.superstep.context.ContextEdit;
import dev.superstep.context.ContextEdit.HistoryCut;
import dev.superstep.context.ContextEdit.Keys;
import dev.superstep.definition.form.DottedKeys;
import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.graph.Limits;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.ContinueThread.ThreadSettings;
import dev.superstep.run.store.RunFinder;
import dev.superstep.state.value.ObjectValue;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/// Fits what a call sets to the checkpoint that it goes on from.
@Component
class GivenSettings {
  private final RunFinder runFinder;
  private final Checkpoints checkpoints;

  GivenSettings(RunFinder runFinder, Checkpoints checkpoints) {
    this.runFinder = runFinder;
    this.checkpoints = checkpoints;
  }

  /// @param limits of all supersteps, those before the checkpoint included
  record Fitted(Limits limits, ContextEdit context) {}

  Fitted over(ThreadSettings given, String id, int checkpoint) {
    if (given.supersteps().isEmpty() && given.variables().isEmpty()) {
      return new Fitted(Limits.NONE, ContextEdit.NONE);
    }
    var run = runFinder.run(id);
    var at = checkpoint(run, checkpoint);
    var limits =
        given
            .supersteps()
            .map(it -> supersteps((int) Math.min(Integer.MAX_VALUE, (long) it + at.superstep())))
            .orElse(Limits.NONE);
    return new Fitted(limits, context(at, given.variables()));
  }

  private Checkpoint checkpoint(RunEntity run, int number) {
    return checkpoints
        .rebuild(runFinder.header(run), number, runFinder.graph(run).program().graph())
        .orElseThrow(() ->
            new ServiceException(
                ErrorCode.CHECKPOINT_NOT_FOUND, "the run has no checkpoint %d".formatted(number)));
  }

  private static Limits supersteps(int max) {
    var none = Limits.NONE;
    return new Limits(
        Optional.of(max),
        none.concurrencyMax(),
        none.dispatchesMax(),
        none.modelCallsMax(),
        none.tokensMax(),
        none.timeout());
  }

  /// Variables that the context has already are no edit, which would be a checkpoint of its own.
  private static ContextEdit context(Checkpoint at, ObjectValue variables) {
    if (variables.isEmpty() || at.context().isEmpty()) {
      return ContextEdit.NONE;
    }
    var flat = DottedKeys.flatten(variables);
    for (var problem : flat.problems()) {
      throw ServiceException.at(
          "/config/configurable" + problem.pointer(), ErrorCode.INVALID_VALUE, problem.message());
    }
    var edit =
        new ContextEdit(
            Optional.empty(), new Keys(List.of(), flat.keys()), Keys.NONE, HistoryCut.NONE);
    var context = at.context().get();
    return edit.apply(context).equals(context) ? ContextEdit.NONE : edit;
  }
}
