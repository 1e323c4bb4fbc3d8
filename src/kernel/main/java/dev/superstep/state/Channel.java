package dev.superstep.state;

import dev.superstep.state.value.Value;
import java.util.Optional;
import java.util.Set;

/// A state field and how it takes updates (E3, E16–E21).
///
/// @param initial the value at superstep 0, before the input is folded, and whenever a user's merge
///   finds no other
/// @param appendOnly only the reducer may change it, and it never shrinks
/// @param mirrorTo the append-only channel that keeps everything a `messages` channel has ever held
/// @param check what every value of the channel must satisfy, from the channel's JSON Schema
/// @param lifetime how long the channel keeps its value in a thread
public record Channel(
    String name,
    Reducer reducer,
    Optional<Value> initial,
    boolean appendOnly,
    Optional<String> mirrorTo,
    OnConflict onConflict,
    ValueCheck check,
    Lifetime lifetime) {

  /// What several writes of a `last_value` channel in one superstep mean.
  public enum OnConflict {
    LAST,
    ERROR
  }

  /// `scope` in definitions.
  public enum Lifetime {
    /// The next run of the thread continues from the value.
    THREAD,
    /// Every run of a thread starts from the default. Forks of a run keep the value.
    RUN;

    /// Fields by which an agent steers one task: left in a thread, they would end the next task
    /// before it begins.
    private static final Set<String> OF_ONE_TASK =
        Set.of("iteration", "finish_reason", "scratchpad", "validated_content");

    /// The lifetime of a channel that declares none.
    public static Lifetime of(String channel) {
      return OF_ONE_TASK.contains(channel) ? RUN : THREAD;
    }
  }

  /// A channel without a declared lifetime.
  public Channel(
      String name,
      Reducer reducer,
      Optional<Value> initial,
      boolean appendOnly,
      Optional<String> mirrorTo,
      OnConflict onConflict,
      ValueCheck check) {
    this(name, reducer, initial, appendOnly, mirrorTo, onConflict, check, Lifetime.of(name));
  }

  /// The channel that an undeclared field is.
  public static Channel undeclared(String name) {
    return of(name, new Reducer.LastValue());
  }

  public static Channel of(String name, Reducer reducer) {
    return new Channel(
        name, reducer, Optional.empty(), false, Optional.empty(), OnConflict.LAST, ValueCheck.NONE);
  }
}
