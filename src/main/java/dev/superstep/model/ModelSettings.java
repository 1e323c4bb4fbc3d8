package dev.superstep.model;

import dev.superstep.secret.SecretReference;
import dev.superstep.settings.Setting;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// The chat models of this server.
///
/// @param models name → model
/// @param defaultModel the one of nodes that name none; not needed if there is only one
@ConfigurationProperties("superstep")
record ModelSettings(@DefaultValue Map<String, Entry> models, @Nullable String defaultModel) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
  private static final Duration TIME_MIN = Duration.ofMillis(1);
  private static final Duration TIME_MAX = Duration.ofDays(1);

  ModelSettings {
    models = Map.copyOf(models);
    models.forEach((name, model) -> {
      if (!NAME.matcher(name).matches()) {
        throw new Setting("superstep.models")
            .invalid("has a model '%s', which is no name: %s".formatted(name, NAME.pattern()));
      }
      model.check("superstep.models." + name);
    });
    if (defaultModel != null && !models.containsKey(defaultModel)) {
      throw new Setting("superstep.default-model")
          .invalid("is '%s', but there is no superstep.models.%1$s".formatted(defaultModel));
    }
  }

  /// @param baseUrl where it is; absent: where the provider is
  /// @param model as the provider names it
  /// @param apiKey where the key is kept, never the key: `env:NAME`, `file:/path`, `property:name`
  /// @param timeout of one call
  /// @param description for authors of graphs
  /// @param options for calls that do not override them, such as `temperature`
  record Entry(
      @DefaultValue("openai") Provider provider,
      @Nullable String baseUrl,
      @DefaultValue("") String model,
      @Nullable String apiKey,
      @DefaultValue("5m") Duration timeout,
      @DefaultValue("") String description,
      @DefaultValue Map<String, String> options) {

    String url() {
      return baseUrl == null ? provider.standardUrl() : baseUrl;
    }

    private void check(String property) {
      if (apiKey != null && SecretReference.parse(apiKey).isEmpty()) {
        throw new Setting(property + ".api-key").invalid(SecretReference.FORMS);
      }
      if (!isUrl(url())) {
        throw new Setting(property + ".base-url").invalid("must be an http or https URL");
      }
      new Setting(property + ".timeout").within(TIME_MIN, TIME_MAX, timeout);
      ModelOptions.check(property + ".options", options);
      if (model.isBlank()) {
        throw new Setting(property + ".model").invalid("is missing: name the provider's model");
      }
    }

    private static boolean isUrl(String text) {
      try {
        var uri = URI.create(text);
        return uri.getHost() != null && String.valueOf(uri.getScheme()).matches("(?i)https?");
      } catch (IllegalArgumentException _) {
        return false;
      }
    }
  }
}
