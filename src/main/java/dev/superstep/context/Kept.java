package dev.superstep.context;

import dev.superstep.state.StateHash;
import dev.superstep.state.Value;
import java.util.function.Supplier;

/// One filter's use of the cache (P16).
final class Kept {
  /// Filtering fewer items takes less time than looking them up.
  static final int ITEMS_MIN = 64;

  private final ContextCache cache;
  private final String rules;

  /// @param outline what the filter does, equal for equal filters
  Kept(ContextCache cache, Value outline) {
    this.cache = cache;
    this.rules = StateHash.of(outline);
  }

  PromptContext get(PromptContext context, Held held, Supplier<PromptContext> made) {
    return Same.instance(cache, ContextCache.NONE) || items(context) < ITEMS_MIN
        ? made.get()
        : always(context, held, made);
  }

  /// For what is slow with few items too.
  PromptContext always(PromptContext context, Held held, Supplier<PromptContext> made) {
    return cache.get(new ContextCache.Key(context.contentHash(), rules, held.active()), made);
  }

  private static int items(PromptContext context) {
    return context.variables().size() + context.metadata().size() + context.history().size();
  }
}
