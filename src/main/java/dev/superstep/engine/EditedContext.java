package dev.superstep.engine;

import dev.superstep.context.ContextEdit;
import dev.superstep.context.PromptContext;
import java.util.HashMap;
import java.util.Optional;

/// The prompt context of a checkpoint after an edit by hand (E42), with no more history than the
/// graph keeps.
final class EditedContext {
  private EditedContext() {}

  /// The checkpoint with its context edited; the same instance if that changes nothing. In mode
  /// `chain` (P12) what has been passed on is edited alike: that is what pending tasks see.
  ///
  /// @throws TaskFailedException if there is nothing to edit
  static Checkpoint of(Checkpoint at, Program program, ContextEdit edit) {
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
    var whole = new PassedContext.Whole(after);
    var forgotten = Forgotten.between(edit.apply(before), after);
    var passed = new HashMap<TaskKey, PassedContext>();
    at.pending()
        .ways()
        .passed()
        .forEach((source, context) ->
            passed.put(source, whole.minus(forgotten.in(edit.apply(context.over(before))))));
    return new Checkpoint(
        at.stamp(),
        at.state(),
        Optional.of(after),
        at.pending().with(at.pending().ways().with(passed)),
        at.held(),
        at.edits());
  }
}
