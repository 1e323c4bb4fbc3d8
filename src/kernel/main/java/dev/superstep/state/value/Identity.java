package dev.superstep.state.value;

import org.jspecify.annotations.Nullable;

/// Compares references: comparing the content of shared values would cost what sharing saves.
public final class Identity {
  private Identity() {}

  @SuppressWarnings("ReferenceEquality")
  public static boolean same(@Nullable Object left, @Nullable Object right) {
    return left == right;
  }
}
