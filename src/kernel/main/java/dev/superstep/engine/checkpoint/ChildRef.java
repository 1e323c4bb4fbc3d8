package dev.superstep.engine.checkpoint;

import dev.superstep.engine.run.BirthId;
import dev.superstep.engine.run.CachedInput;
import dev.superstep.engine.run.Cost;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.engine.run.Usage;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.math.BigDecimal;
import java.util.Optional;

/// The last run that a task has begun. It is kept with the side effects of the task, and so
/// survives failures, retries and crashes until the task is done.
///
/// @param number from 1
/// @param counted what the task has taken over of what the run has spent: it ends anew after each
///   resume
public record ChildRef(String run, int number, Usage counted) {
  /// Reserved: no node records a side effect of that name.
  private static final String PART = "__child";

  public static Optional<ChildRef> of(TaskRecord record) {
    return in(record.parts());
  }

  public static Optional<ChildRef> in(ObjectValue parts) {
    return parts.get(PART) instanceof ObjectValue kept
            && kept.get("run") instanceof Value.Text(var run)
            && kept.get("number") instanceof Value.Int(var number)
        ? Optional.of(new ChildRef(run, Math.toIntExact(number), counted(kept)))
        : Optional.empty();
  }

  static ObjectValue removedFrom(ObjectValue parts) {
    return parts.minus(PART);
  }

  boolean isOf(BirthId birthId, TaskKey task) {
    return birthId.hasBegun(run, task, number);
  }

  private static Usage counted(ObjectValue kept) {
    return new Usage(
        kept.findWhole("calls").orElse(0L),
        kept.findWhole("input_tokens").orElse(0L),
        kept.findWhole("output_tokens").orElse(0L),
        kept.get("cost") instanceof Value.Text(var amount)
            ? new Cost(kept.findWhole("priced_calls").orElse(0L), new BigDecimal(amount))
            : Cost.NOTHING,
        new CachedInput(
            kept.findWhole("cache_read").orElse(0L), kept.findWhole("cache_written").orElse(0L)));
  }

  public ChildRef counting(Usage more) {
    return new ChildRef(run, number, counted.plus(more));
  }

  /// How many runs the task has begun.
  public static int numberIn(ObjectValue parts) {
    return in(parts).map(ChildRef::number).orElse(0);
  }

  public ObjectValue keptIn(ObjectValue parts) {
    var kept = ObjectValue.of("run", run).plus("number", number);
    return parts.plus(PART, counted.isNothing() ? kept : counting(kept));
  }

  private ObjectValue counting(ObjectValue kept) {
    var tokens =
        kept.plus("calls", counted.calls())
            .plus("input_tokens", counted.inputTokens())
            .plus("output_tokens", counted.outputTokens());
    var cached = counted.cached();
    if (!cached.isNothing()) {
      tokens = tokens.plus("cache_read", cached.read()).plus("cache_written", cached.written());
    }
    return counted.cost().isNothing()
        ? tokens
        : tokens.plus("priced_calls", counted.cost().calls()).plus("cost", counted.cost().text());
  }
}
