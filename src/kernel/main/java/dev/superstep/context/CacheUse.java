package dev.superstep.context;

import dev.superstep.state.StateHash;
import dev.superstep.state.value.Identity;
import dev.superstep.state.value.Value;
import java.lang.ref.WeakReference;
import java.util.function.Supplier;

/// One filter's use of the cache (P16).
final class CacheUse {
  /// Filtering fewer items takes less time than looking them up.
  static final int ITEMS_MIN = 64;

  private final ContextCache cache;
  private final String rules;

  /// Written without locks: the loser of a race hashes once more.
  private volatile Recent recent = new Recent(new WeakReference<>(null), "");

  /// The tasks of one superstep ask with the same instance.
  private record Recent(WeakReference<PromptContext> context, String hash) {}

  /// @param filterKey the filter's effect, equal for equal filters
  CacheUse(ContextCache cache, Value filterKey) {
    this.cache = cache;
    this.rules = StateHash.of(filterKey);
  }

  PromptContext get(PromptContext context, ActiveRules activeRules, Supplier<PromptContext> made) {
    return Identity.same(cache, ContextCache.NONE) || items(context) < ITEMS_MIN
        ? made.get()
        : always(context, activeRules, made);
  }

  /// For what is slow with few items too.
  PromptContext always(
      PromptContext context, ActiveRules activeRules, Supplier<PromptContext> made) {
    return cache.get(new ContextCache.ViewKey(hash(context), rules, activeRules.active()), made);
  }

  private String hash(PromptContext context) {
    var known = recent;
    if (known.context.refersTo(context)) {
      return known.hash;
    }
    var hash = context.contentHash();
    recent = new Recent(new WeakReference<>(context), hash);
    return hash;
  }

  private static int items(PromptContext context) {
    return context.variables().size() + context.metadata().size() + context.history().size();
  }
}
