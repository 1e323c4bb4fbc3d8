package dev.superstep.context;

import dev.superstep.context.Trace.Reason;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Optional;

/// Applies transforms in list order (P5, P6): each sees the result of those before it.
final class TransformPipeline {
  private static final List<String> TEXTS = List.of("prompt", "response");
  private final List<Op> ops;

  public TransformPipeline(List<Op> ops) {
    this.ops = List.copyOf(ops);
  }

  /// @param to the keys that matching items get; empty: theirs
  /// @param call what happens to their values, matched by the new keys
  public record Op(
      Glob pattern,
      TransformTarget target,
      Optional<String> to,
      Optional<TransformCall> call,
      Reason reason) {

    public static Op of(FilterRule.Transform rule, Reason reason) {
      return rule.call() instanceof TransformCall.Rename(_, var to)
          ? new Op(rule.pattern(), rule.target(), Optional.of(to), Optional.empty(), reason)
          : new Op(
              rule.pattern(), rule.target(), Optional.empty(), Optional.of(rule.call()), reason);
    }
  }

  /// The same instance if nothing matched.
  ///
  /// @throws ContextException if a transform fails
  public PromptContext apply(PromptContext context, Trace trace) {
    return ops.isEmpty()
        ? context
        : context.with(
            members(context.variables(), Part.VARIABLES, trace),
            members(context.metadata(), Part.METADATA, trace),
            entries(new Entries(context.history(), context.times()), trace));
  }

  private ObjectValue members(ObjectValue members, Part part, Trace trace) {
    return covers(part) ? workingCopy(members, part, trace).or(members) : members;
  }

  private boolean covers(Part part) {
    return ops.stream().anyMatch(it -> it.target().covers(part));
  }

  public WorkingCopy workingCopy(ObjectValue members, Part part, Trace trace) {
    var workingCopy = new WorkingCopy(members, part, trace);
    for (var op : ops) {
      if (op.target().covers(part)) {
        workingCopy.apply(op);
      }
    }
    return workingCopy;
  }

  public Entries entries(Entries entries, Trace trace) {
    var changed = entries;
    for (var op : ops) {
      if (op.target().covers(Part.HISTORY)
          && op.call().orElse(null) instanceof TransformCall.OfValue call) {
        changed = changed.map(it -> entry(it, op, call, trace));
      }
    }
    return changed;
  }

  /// Of an entry, transforms change prompt and response; both stay texts.
  private static Value entry(Value entry, Op op, TransformCall.OfValue call, Trace trace) {
    if (!(entry instanceof ObjectValue object) || !op.pattern().matches(Entries.node(entry))) {
      return entry;
    }
    trace.transformed(Part.HISTORY, Entries.id(entry), op.reason());
    for (var key : TEXTS) {
      var old = object.get(key);
      if (old != null) {
        var made = call.apply(old);
        object =
            object.plus(key, made instanceof Value.Text ? made : Value.of(Canonical.text(made)));
      }
    }
    return object;
  }
}
