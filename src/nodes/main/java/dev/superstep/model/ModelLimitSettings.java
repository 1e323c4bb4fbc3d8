package dev.superstep.model;

import dev.superstep.problem.Setting;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// What providers allow of models, over all replicas.
///
/// @param models name → limits
@ConfigurationProperties("superstep")
record ModelLimitSettings(@DefaultValue Map<String, ModelLimitEntry> models) {
  private static final int REQUESTS_MAX = 1_000_000;
  private static final long TOKENS_MAX = 10_000_000_000L;
  private static final int CONCURRENCY_MAX = 1_000;

  public ModelLimitSettings {
    models = Map.copyOf(models);
    models.forEach((name, model) -> model.check("superstep.models." + name));
  }

  /// Empty: the model has none.
  Optional<ModelLimits> limits(String model) {
    return Optional.ofNullable(models.get(model)).flatMap(ModelLimitEntry::limits);
  }

  /// @param requestsPerMinute absent: no limit, as with the others
  /// @param tokensPerMinute of input and output
  /// @param concurrency calls at a time
  record ModelLimitEntry(
      @Nullable Integer requestsPerMinute,
      @Nullable Long tokensPerMinute,
      @Nullable Integer concurrency) {

    private Optional<ModelLimits> limits() {
      return requestsPerMinute == null && tokensPerMinute == null && concurrency == null
          ? Optional.empty()
          : Optional.of(
              new ModelLimits(
                  Optional.ofNullable(requestsPerMinute),
                  Optional.ofNullable(tokensPerMinute),
                  Optional.ofNullable(concurrency)));
    }

    private void check(String property) {
      if (requestsPerMinute != null) {
        new Setting(property + ".requests-per-minute").within(1, REQUESTS_MAX, requestsPerMinute);
      }
      if (tokensPerMinute != null) {
        new Setting(property + ".tokens-per-minute").within(1, TOKENS_MAX, tokensPerMinute);
      }
      if (concurrency != null) {
        new Setting(property + ".concurrency").within(1, CONCURRENCY_MAX, concurrency);
      }
    }
  }
}
