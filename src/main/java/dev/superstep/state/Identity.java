package dev.superstep.state;

import org.jspecify.annotations.Nullable;

/// Compares references: what is shared needs no second look, and comparing content would cost what
/// sharing saves.
final class Identity {
  private Identity() {}

  @SuppressWarnings("ReferenceEquality")
  static boolean same(@Nullable Object left, @Nullable Object right) {
    return left == right;
  }
}
