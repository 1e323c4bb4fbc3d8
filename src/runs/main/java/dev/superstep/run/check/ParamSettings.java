package dev.superstep.run.check;

import dev.superstep.definition.GraphParams;
import dev.superstep.problem.NamedSettings;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// What the operator sets the params of graphs to.
///
/// @param params graph → param → value, as text
@ConfigurationProperties("superstep")
public record ParamSettings(@DefaultValue Map<String, Map<String, String>> params) {
  public ParamSettings {
    params = Map.copyOf(params);
  }

  /// What is set for a graph.
  public GraphParams.Operator of(String graph) {
    var own = NamedSettings.find(params, graph).orElse(Map.of());
    return new GraphParams.Operator() {
      @Override
      public Optional<String> text(String param) {
        return NamedSettings.find(own, param);
      }

      @Override
      public String setting(String param) {
        var property = "superstep.params.%s.%s".formatted(graph, param);
        var variable =
            "SUPERSTEP_PARAMS_%s_%s"
                .formatted(NamedSettings.plain(graph), NamedSettings.plain(param))
                .toUpperCase(Locale.ROOT);
        return "%s (%s)".formatted(property, variable);
      }
    };
  }
}
