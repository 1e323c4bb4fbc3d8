package dev.superstep.model;

import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// How the caches of providers are used.
///
/// @param models name → how
@ConfigurationProperties("superstep")
record ModelCacheSettings(@DefaultValue Map<String, ModelCacheEntry> models) {
  public ModelCacheSettings {
    models = Map.copyOf(models);
  }

  PromptCache of(String model) {
    var found = models.get(model);
    return found == null ? PromptCache.AUTO : found.promptCache();
  }

  /// @param promptCache `off` for a server that knows no marks, or where prompts never repeat
  record ModelCacheEntry(@DefaultValue("auto") PromptCache promptCache) {}
}
