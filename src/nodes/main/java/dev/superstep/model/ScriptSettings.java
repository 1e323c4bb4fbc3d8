package dev.superstep.model;

import dev.superstep.problem.Setting;
import java.util.List;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// The scripts of models whose provider is `stub`. A script stays where it is while the model has
/// another provider.
///
/// @param models name → script
@ConfigurationProperties("superstep")
record ScriptSettings(@DefaultValue Map<String, Script> models) {
  public ScriptSettings {
    models = Map.copyOf(models);
    models.forEach((name, model) -> {
      for (int i = 0; i < model.script().size(); i++) {
        model.script().get(i).check("superstep.models.%s.script[%d]".formatted(name, i));
      }
    });
  }

  /// The script of a model.
  ///
  /// @throws dev.superstep.problem.InvalidSettingException if there is none
  public List<Reply> script(String model) {
    var found = models.get(model);
    if (found == null || found.script().isEmpty()) {
      throw new Setting("superstep.models." + model + ".script")
          .invalid("is missing: a model whose provider is stub says what its script says");
    }
    return found.script();
  }

  /// @param script the first reply that fits is given
  public record Script(@DefaultValue List<Reply> script) {
    public Script {
      script = List.copyOf(script);
    }
  }
}
