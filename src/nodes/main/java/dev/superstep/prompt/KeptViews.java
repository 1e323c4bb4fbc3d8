package dev.superstep.prompt;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.superstep.context.PromptContext;
import dev.superstep.context.filter.ContextCache;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.Value;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.cache.CaffeineCacheMetrics;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Caches views of prompt contexts, bounded in size and time (P16, S4-26). Its hits, misses and
/// evictions are the metrics `cache.*` with the tag `cache` = `superstep.context`.
final class KeptViews implements ContextCache {
  /// Size of a key and its entry.
  private static final int ENTRY_BYTES = 500;

  private final Cache<Key, PromptContext> views;

  KeptViews(CacheSettings settings, MeterRegistry meters) {
    this(settings, meters, Ticker.systemTicker());
  }

  KeptViews(CacheSettings settings, MeterRegistry meters, Ticker clock) {
    views =
        Caffeine.newBuilder()
            .maximumWeight(settings.bytesMax().toBytes())
            .weigher(KeptViews::weight)
            .expireAfterAccess(settings.idle())
            .ticker(clock)
            .recordStats()
            .build();
    CaffeineCacheMetrics.monitor(meters, views, "superstep.context");
  }

  /// Views share values with the contexts they were made of, so this counts too much rather than
  /// too little.
  private static int weight(Key key, PromptContext view) {
    long bytes =
        ENTRY_BYTES
            + Stream.<Value>of(view.variables(), view.history(), view.metadata())
                .mapToLong(Canonical::size)
                .sum();
    return (int) Math.min(bytes, Integer.MAX_VALUE);
  }

  /// Two threads that miss at the same time both make the view: waiting would hold a lock while
  /// users' code runs.
  @Override
  public PromptContext get(Key key, Supplier<PromptContext> made) {
    var kept = views.getIfPresent(key);
    if (kept != null) {
      return kept;
    }
    var view = made.get();
    views.put(key, view);
    return view;
  }
}
