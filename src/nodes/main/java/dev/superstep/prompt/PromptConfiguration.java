package dev.superstep.prompt;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.superstep.context.ContextCache;
import dev.superstep.context.ContextCondition;
import dev.superstep.context.ContextLibrary;
import dev.superstep.context.ContextProcessor;
import dev.superstep.context.ContextTransform;
import dev.superstep.context.JavaContextFilter;
import dev.superstep.context.Processors;
import dev.superstep.context.PromptContext;
import dev.superstep.context.Transforms;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.Value;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.cache.CaffeineCacheMetrics;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// Finds the transforms and processors of this server. Spring keeps bean names unique; a name that
/// a built-in has stops the start. The library is made by Spring, and by the reader that works
/// without it.
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(CacheSettings.class)
public class PromptConfiguration {

  @Bean
  ContextCache contextCache(CacheSettings settings, MeterRegistry meters) {
    return settings.bytesMax().toBytes() == 0 ? ContextCache.NONE : new KeptViews(settings, meters);
  }

  @Bean
  public ContextLibrary contextLibrary(
      ContextCondition.Compiler conditions, ContextCache cache, ListableBeanFactory beans) {
    return new ContextLibrary(
        conditions,
        Transforms.with(beans.getBeansOfType(ContextTransform.class)),
        Processors.of(beans.getBeansOfType(ContextProcessor.class)),
        beans.getBeansOfType(JavaContextFilter.class),
        cache);
  }

  /// Caches views of prompt contexts, bounded in size and time (P16, S4-26). Its hits, misses and
  /// evictions are the metrics `cache.*` with the tag `cache` = `superstep.context`.
  static final class KeptViews implements ContextCache {
    /// Size of a key and its entry.
    private static final int ENTRY_BYTES = 500;

    private final Cache<ViewKey, PromptContext> views;

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
    private static int weight(ViewKey key, PromptContext view) {
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
    public PromptContext get(ViewKey key, Supplier<PromptContext> made) {
      var kept = views.getIfPresent(key);
      if (kept != null) {
        return kept;
      }
      var view = made.get();
      views.put(key, view);
      return view;
    }
  }
}
