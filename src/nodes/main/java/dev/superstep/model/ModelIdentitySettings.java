package dev.superstep.model;

import dev.superstep.model.identity.Cloud;
import dev.superstep.problem.Setting;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// Which models are called as the workload that this process is, without a key.
///
/// @param models name → how
@ConfigurationProperties("superstep")
record ModelIdentitySettings(@DefaultValue Map<String, ModelIdentityEntry> models) {
  public ModelIdentitySettings {
    models = Map.copyOf(models);
  }

  /// @param identity whose workload this process is; absent: the key says who calls
  record ModelIdentityEntry(@Nullable Cloud identity) {}

  static String property(String model) {
    return "superstep.models.%s.identity".formatted(model);
  }

  /// @throws dev.superstep.problem.InvalidSettingException if the model cannot be called so
  Optional<Cloud> of(String model, ModelSettings.ModelEntry entry) {
    var found = models.get(model);
    var cloud = found == null ? null : found.identity();
    if (cloud == null) {
      return Optional.empty();
    }
    var setting = new Setting(property(model));
    if (entry.apiKey() != null) {
      throw setting.invalid("stands beside api-key; remove one of them");
    }
    if (entry.baseUrl() == null) {
      throw setting.invalid("needs the base-url of the model in that cloud");
    }
    if (entry.provider() != Provider.OPENAI && entry.provider() != Provider.ANTHROPIC) {
      throw setting.invalid("is for the providers openai and anthropic");
    }
    return Optional.of(cloud);
  }
}
