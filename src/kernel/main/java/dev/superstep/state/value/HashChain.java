package dev.superstep.state.value;

import org.jspecify.annotations.Nullable;

/// The running hash of the first `count` items of a list, and marks on the way to it.
///
/// A list that shares a prefix with another starts from the nearest mark instead of from nothing.
///
/// @param mark the chain of a shorter prefix, at least [#SPACING] items away
record HashChain(int count, Hash hash, @Nullable HashChain mark) {
  static final int SPACING = 512;

  /// The longest known chain of at most `count` items.
  static @Nullable HashChain within(@Nullable HashChain hashChain, int count) {
    var found = hashChain;
    while (found != null && found.count > count) {
      found = found.mark;
    }
    return found;
  }

  /// The chain that a longer one keeps as its mark.
  static @Nullable HashChain markOf(@Nullable HashChain hashChain) {
    if (hashChain == null) {
      return null;
    }
    int before = hashChain.mark == null ? 0 : hashChain.mark.count;
    return hashChain.count - before >= SPACING ? hashChain : hashChain.mark;
  }
}
