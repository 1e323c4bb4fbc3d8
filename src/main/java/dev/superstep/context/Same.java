package dev.superstep.context;

/// Compares references: an unchanged value is the same instance.
public final class Same {
  private Same() {}

  @SuppressWarnings("ReferenceEquality")
  public static boolean instance(Object left, Object right) {
    return left == right;
  }
}
