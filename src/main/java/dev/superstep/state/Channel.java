package dev.superstep.state;

import java.util.Optional;

/// A state field and how it takes updates (E3, E16–E21).
///
/// @param initial the value at superstep 0, before the input is folded
/// @param appendOnly only the reducer may change it, and it never shrinks
/// @param mirrorTo the append-only channel that keeps everything a `messages` channel has ever held
/// @param check what every value of the channel must satisfy, from the channel's JSON Schema
public record Channel(
    String name,
    Reducer reducer,
    Optional<Value> initial,
    boolean appendOnly,
    Optional<String> mirrorTo,
    OnConflict onConflict,
    ValueCheck check) {

  /// What several writes of a `last_value` channel in one superstep mean.
  public enum OnConflict {
    LAST,
    ERROR
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
