package dev.superstep.state;

import org.jspecify.annotations.Nullable;

/// The running hash of the first `count` items of a list, and marks on the way to it.
///
/// A list that shares a prefix with another starts from the nearest mark instead of from nothing.
///
/// @param mark the chain of a shorter prefix, at least [#SPACING] items away
record Chain(int count, Hash hash, @Nullable Chain mark) {
  static final int SPACING = 512;

  /// The longest known chain of at most `count` items.
  static @Nullable Chain within(@Nullable Chain chain, int count) {
    var found = chain;
    while (found != null && found.count > count) {
      found = found.mark;
    }
    return found;
  }

  /// What a longer chain keeps as its mark.
  static @Nullable Chain markOf(@Nullable Chain chain) {
    if (chain == null) {
      return null;
    }
    int before = chain.mark == null ? 0 : chain.mark.count;
    return chain.count - before >= SPACING ? chain : chain.mark;
  }
}
