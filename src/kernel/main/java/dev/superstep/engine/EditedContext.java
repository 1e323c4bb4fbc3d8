package dev.superstep.engine;

import dev.superstep.context.ContextEdit;
import dev.superstep.context.PromptContext;
import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.ContextDelta;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.engine.run.TaskKey;
import java.util.HashMap;
import java.util.Optional;

/// Applies a manual edit to the prompt context of a checkpoint (E42), with no more history than the
/// graph keeps.
final class EditedContext {
  private EditedContext() {}

  /// The checkpoint with its context edited; the same instance if that changes nothing. In mode
  /// `chain` (P12) passed contexts are edited alike, because pending tasks see those.
  ///
  /// @throws TaskFailedException if there is nothing to edit
  public static Checkpoint of(Checkpoint at, Program program, ContextEdit edit) {
    if (at.context().isEmpty()) {
      if (edit.isEmpty()) {
        return at;
      }
      throw failed("this graph keeps no prompt context; leave out 'context'");
    }
    var before = at.context().get();
    edit.unknownEntry(before)
        .ifPresent(id -> {
          throw failed("the history has no entry '%s'".formatted(id));
        });
    var after = program.contexts().history().bound(edit.apply(before));
    return after.equals(before) ? at : with(at, before, after, edit);
  }

  private static TaskFailedException failed(String message) {
    return new TaskFailedException(TaskError.permanent("invalid_context", message));
  }

  private static Checkpoint with(
      Checkpoint at, PromptContext before, PromptContext after, ContextEdit edit) {
    var whole = new ContextDelta.Whole(after);
    var forgottenHistory = ForgottenHistory.between(edit.apply(before), after);
    var passed = new HashMap<TaskKey, ContextDelta>();
    at.pending()
        .origins()
        .passed()
        .forEach((source, context) ->
            passed.put(source, whole.minus(forgottenHistory.in(edit.apply(context.over(before))))));
    return new Checkpoint(
        at.stamp(),
        at.state(),
        Optional.of(after),
        at.pending().with(at.pending().origins().with(passed)),
        at.held(),
        at.edits());
  }
}
