package dev.superstep.engine;

import dev.superstep.context.PromptContext;
import dev.superstep.state.ObjectValue;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Mode `chain` (P12): keeps what each task has passed on for as long as something pending, or a
/// partly satisfied join, goes back to it.
final class Chain {
  private final Frame frame;
  private final ContextFold fold;
  private final PromptContext before;

  private Chain(Frame frame, ContextFold fold, PromptContext before) {
    this.frame = frame;
    this.fold = fold;
    this.before = before;
  }

  /// At the start of a run everything is passed on.
  static Pending begin(Pending pending, Optional<PromptContext> context) {
    return context.map(it -> with(pending, it)).orElse(pending);
  }

  private static Pending with(Pending pending, PromptContext whole) {
    var all = new PassedContext.Whole(whole).minus(whole);
    var passed = new HashMap<TaskKey, PassedContext>();
    pending.ways().sources().forEach(it -> passed.put(it, all));
    return passed.isEmpty() ? pending : pending.with(pending.ways().with(passed));
  }

  /// After a change made in the name of a node (E42): it passes on what has arrived at it.
  static Pending edited(Frame frame, Pending pending, Task as) {
    var context = frame.at().context();
    if (context.isEmpty() || pending.ways().sources().isEmpty()) {
      return pending;
    }
    var views = new ContextViews(frame.program().contexts(), frame.at());
    var call = new Call(frame, as, frame.at().state(), Call.Attempt.FIRST);
    var known = pending.ways().passed();
    var whole = new PassedContext.Whole(context.get());
    var passed = new HashMap<TaskKey, PassedContext>();
    for (var source : pending.ways().sources()) {
      var earlier = known.get(source);
      passed.put(
          source,
          earlier != null
              ? earlier
              : whole.minus(views.outgoingOrNone(as.key(), ObjectValue.empty(), call::get)));
    }
    return pending.with(pending.ways().with(passed));
  }

  /// After a superstep.
  ///
  /// @param tasks of the superstep, in task order
  /// @param after the run's context with all that the superstep has added
  static Pending carry(
      Frame frame, ContextFold fold, List<Task> tasks, Settled.Complete done, PromptContext after) {
    var pending = done.pending();
    var sources = pending.ways().sources();
    var before = frame.at().context();
    if (sources.isEmpty() || before.isEmpty()) {
      return pending;
    }
    var chain = new Chain(frame, fold, before.get());
    var ran = new HashMap<TaskKey, Integer>();
    for (int i = 0; i < tasks.size(); i++) {
      ran.put(tasks.get(i).key(), i);
    }
    var whole = new PassedContext.Whole(after);
    var forgotten =
        Forgotten.between(fold.fold(before.get(), done.records(), Instant.EPOCH), after);
    Map<TaskKey, PassedContext> passed = new HashMap<>();
    for (var source : sources) {
      var place = ran.get(source);
      var context =
          place == null
              ? chain.earlier(source)
              : chain.outgoing(tasks.get(place), done.records().get(place));
      passed.put(source, whole.minus(forgotten.in(context)));
    }
    return pending.with(pending.ways().with(passed));
  }

  /// What was passed on in an earlier superstep.
  private PromptContext earlier(TaskKey source) {
    var known = frame.at().pending().ways().passed().get(source);
    return known == null ? before : known.over(before);
  }

  private PromptContext outgoing(Task task, TaskRecord record) {
    var call = Call.settling(frame, task, record);
    var views = new ContextViews(frame.program().contexts(), frame.at());
    return switch (record.ended()) {
      case TaskRecord.Ending.Done(var result) ->
          // The time of the entry is that of the run's, which has it by the same id.
          views
              .outgoingOrNone(task.key(), result.variables(), call::get)
              .plusEntry(fold.entry(task.key(), result), frame.at().stamp().at().toString());
      case TaskRecord.Ending.Handled(_, var result) ->
          views
              .outgoingOrNone(task.key(), ObjectValue.empty(), call::get)
              .plusVariables(result.variables());
      case TaskRecord.Ending.Failed _, TaskRecord.Ending.Rejected _ ->
          throw new IllegalStateException("%s is not done".formatted(task.key()));
    };
  }
}
