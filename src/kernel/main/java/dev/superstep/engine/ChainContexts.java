package dev.superstep.engine;

import dev.superstep.context.PromptContext;
import dev.superstep.engine.checkpoint.ContextDelta;
import dev.superstep.engine.checkpoint.Pending;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.Task;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.state.value.ObjectValue;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Implements mode `chain` (P12): keeps what each task has passed on while a pending activation, or
/// a partly satisfied join, derives from it.
final class ChainContexts {
  private final SuperstepContext superstepContext;
  private final ContextFold fold;
  private final PromptContext before;

  private ChainContexts(SuperstepContext superstepContext, ContextFold fold, PromptContext before) {
    this.superstepContext = superstepContext;
    this.fold = fold;
    this.before = before;
  }

  /// At the start of a run everything is passed on.
  public static Pending begin(Pending pending, Optional<PromptContext> context) {
    return context.map(it -> with(pending, it)).orElse(pending);
  }

  private static Pending with(Pending pending, PromptContext whole) {
    var all = new ContextDelta.Whole(whole).minus(whole);
    var passed = new HashMap<TaskKey, ContextDelta>();
    pending.origins().sources().forEach(it -> passed.put(it, all));
    return passed.isEmpty() ? pending : pending.with(pending.origins().with(passed));
  }

  /// After a change made in the name of a node (E42), which passes on what has arrived at it.
  public static Pending edited(SuperstepContext superstepContext, Pending pending, Task as) {
    var context = superstepContext.at().context();
    if (context.isEmpty() || pending.origins().sources().isEmpty()) {
      return pending;
    }
    var views = new ContextViews(superstepContext.program().contexts(), superstepContext.at());
    var attemptCall =
        new AttemptCall(
            superstepContext, as, superstepContext.at().state(), AttemptCall.Attempt.FIRST);
    var known = pending.origins().passed();
    var whole = new ContextDelta.Whole(context.get());
    var passed = new HashMap<TaskKey, ContextDelta>();
    for (var source : pending.origins().sources()) {
      var earlier = known.get(source);
      passed.put(
          source,
          earlier != null
              ? earlier
              : whole.minus(views.outgoingOrNone(as.key(), ObjectValue.empty(), attemptCall::get)));
    }
    return pending.with(pending.origins().with(passed));
  }

  /// After a superstep.
  ///
  /// @param tasks of the superstep, in task order
  /// @param after the run's context with all that the superstep has added
  public static Pending carry(
      SuperstepContext superstepContext,
      ContextFold fold,
      List<Task> tasks,
      SuperstepResult.Complete done,
      PromptContext after) {
    var pending = done.pending();
    var sources = pending.origins().sources();
    var before = superstepContext.at().context();
    if (sources.isEmpty() || before.isEmpty()) {
      return pending;
    }
    var chainContexts = new ChainContexts(superstepContext, fold, before.get());
    var ran = new HashMap<TaskKey, Integer>();
    for (int i = 0; i < tasks.size(); i++) {
      ran.put(tasks.get(i).key(), i);
    }
    var whole = new ContextDelta.Whole(after);
    var forgottenHistory =
        ForgottenHistory.between(fold.fold(before.get(), done.records(), Instant.EPOCH), after);
    Map<TaskKey, ContextDelta> passed = new HashMap<>();
    for (var source : sources) {
      var place = ran.get(source);
      var context =
          place == null
              ? chainContexts.earlier(source)
              : chainContexts.outgoing(tasks.get(place), done.records().get(place));
      passed.put(source, whole.minus(forgottenHistory.in(context)));
    }
    return pending.with(pending.origins().with(passed));
  }

  /// What was passed on in an earlier superstep.
  private PromptContext earlier(TaskKey source) {
    var known = superstepContext.at().pending().origins().passed().get(source);
    return known == null ? before : known.over(before);
  }

  private PromptContext outgoing(Task task, TaskRecord record) {
    var attemptCall = AttemptCall.settling(superstepContext, task, record);
    var views = new ContextViews(superstepContext.program().contexts(), superstepContext.at());
    return switch (record.ended()) {
      case TaskRecord.TaskStatus.Done(var result) ->
          // The time of the entry is that of the run's, which has it by the same id.
          views
              .outgoingOrNone(task.key(), result.variables(), attemptCall::get)
              .plusEntry(
                  fold.entry(task.key(), result), superstepContext.at().stamp().at().toString());
      case TaskRecord.TaskStatus.Handled(_, var result) ->
          views
              .outgoingOrNone(task.key(), ObjectValue.empty(), attemptCall::get)
              .plusVariables(result.variables());
      case TaskRecord.TaskStatus.Failed _,
          TaskRecord.TaskStatus.Rejected _,
          TaskRecord.TaskStatus.Cancelled _ ->
          throw new IllegalStateException("%s is not done".formatted(task.key()));
    };
  }
}
