package dev.superstep.engine.checkpoint;

import dev.superstep.context.PromptContext;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.state.GraphState;
import dev.superstep.state.StateHash;
import dev.superstep.state.value.ObjectValue;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// All that is needed to continue a run (E44), rebuilt in memory.
///
/// @param context empty if the graph keeps no prompt context
/// @param held records of tasks of the superstep that is held, by key; empty between supersteps
/// @param edits state edits committed since the superstep before; part of idempotency keys (E40)
/// @param recorded those of the held tasks whose record no checkpoint has: it was recorded since
///   (E10.3), and belongs into the next one
public record Checkpoint(
    Stamp stamp,
    GraphState state,
    Optional<PromptContext> context,
    Pending pending,
    Map<TaskKey, TaskRecord> held,
    int edits,
    Set<TaskKey> recorded) {

  /// @param number from 0, gap-free per run
  /// @param superstep the last committed one: the pending activations run in `superstep + 1`
  /// @param at database time of the commit
  /// @param era history of the database in which the superstep was committed, from 1; another
  ///   history may have had another state here, so that it is part of idempotency keys (E40)
  public record Stamp(int number, CheckpointKind kind, int superstep, Instant at, int era) {
    public Stamp(int number, CheckpointKind kind, int superstep, Instant at) {
      this(number, kind, superstep, at, 1);
    }

    public Stamp in(int other) {
      return new Stamp(number, kind, superstep, at, other);
    }
  }

  public Checkpoint {
    held = Map.copyOf(held);
    recorded = Set.copyOf(recorded);
  }

  /// One that has all records of its tasks.
  public Checkpoint(
      Stamp stamp,
      GraphState state,
      Optional<PromptContext> context,
      Pending pending,
      Map<TaskKey, TaskRecord> held,
      int edits) {
    this(stamp, state, context, pending, held, edits, Set.of());
  }

  /// The same with outcomes that were recorded since.
  public Checkpoint with(Collection<TaskRecord> recorded) {
    var all = new HashMap<>(held);
    recorded.forEach(it -> all.put(it.key(), it));
    var keys = recorded.stream().map(TaskRecord::key).collect(Collectors.toUnmodifiableSet());
    return new Checkpoint(stamp, state, context, pending, all, edits, keys);
  }

  public int number() {
    return stamp.number();
  }

  public int superstep() {
    return stamp.superstep();
  }

  /// The size of state and prompt context in canonical form.
  public long sizeBytes() {
    return sizeBytes(state, context);
  }

  public static long sizeBytes(GraphState state, Optional<PromptContext> context) {
    return state.sizeBytes() + context.map(PromptContext::sizeBytes).orElse(0L);
  }

  /// The hash of state and prompt context (E46). Times of the context's history are no part of it.
  public String stateHash() {
    return StateHash.of(
        state,
        context.map(it -> ObjectValue.of("__context", it.hashed())).orElse(ObjectValue.empty()));
  }
}
