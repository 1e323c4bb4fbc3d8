package dev.superstep.context;

import java.util.BitSet;
import java.util.function.Supplier;

/// Caches views (P16, S4-26). Correctness never depends on it: the same key always means the same
/// view.
@FunctionalInterface
public interface ContextCache {
  /// Keeps nothing.
  ContextCache NONE = (_, made) -> made.get();

  /// The view kept under `key`, or the one that `made` gives.
  PromptContext get(ViewKey key, Supplier<PromptContext> made);

  /// @param content hash of what went in
  /// @param rules hash of the type and the filter or processor configuration
  /// @param conditions the rules whose conditions hold
  record ViewKey(String content, String rules, BitSet conditions) {}
}
