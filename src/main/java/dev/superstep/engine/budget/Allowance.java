package dev.superstep.engine.budget;

import java.util.Optional;

/// What a run may still spend on models, and with it whatever it begins.
///
/// @param calls empty: as many as it likes
/// @param tokens likewise
public record Allowance(Optional<Integer> calls, Optional<Long> tokens) {
  public static final Allowance UNLIMITED = new Allowance(Optional.empty(), Optional.empty());
}
