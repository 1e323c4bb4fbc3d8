package dev.superstep.engine.run;

import java.util.Optional;

/// What a run and its child runs may still spend on models.
///
/// @param calls empty: unlimited
/// @param tokens empty: unlimited
public record Allowance(Optional<Integer> calls, Optional<Long> tokens) {
  public static final Allowance UNLIMITED = new Allowance(Optional.empty(), Optional.empty());
}
