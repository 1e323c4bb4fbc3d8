package dev.superstep.model;

import dev.superstep.secret.AllowedGraphs;
import dev.superstep.tenant.Tenant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// Decides which graphs may use which models.
///
/// @param models name → its graphs
@ConfigurationProperties("superstep")
public record ModelPermits(@DefaultValue Map<String, GraphsOfModel> models) {
  /// The code of models that a graph may not use.
  public static final String NOT_ALLOWED = "model_not_allowed";

  public ModelPermits {
    models = Map.copyOf(models);
    models.forEach((name, model) ->
        AllowedGraphs.of("superstep.models.%s.graphs".formatted(name), model.graphs()));
  }

  /// Where no operator has set anything.
  public static ModelPermits unset() {
    return new ModelPermits(Map.of());
  }

  /// @param graphs patterns of the graphs that may use it; empty: all
  public record GraphsOfModel(@DefaultValue List<String> graphs) {
    public GraphsOfModel {
      graphs = List.copyOf(graphs);
    }
  }

  /// Why no graph of this name may use a model; empty if one may.
  public Optional<String> refusal(Model model, String name) {
    return allowed(model).mayPermit(name) ? Optional.empty() : Optional.of(notAllowed(model, name));
  }

  /// Why a graph that runs may not use a model; empty if it may.
  ///
  /// @param graph as rows have it
  public Optional<String> refusalOfCall(Model model, String graph) {
    return allowed(model).permits(graph)
        ? Optional.empty()
        : Optional.of(notAllowed(model, Tenant.shown(graph)));
  }

  private AllowedGraphs allowed(Model model) {
    var found = models.get(model.name());
    return found == null ? AllowedGraphs.ALL : AllowedGraphs.of("superstep.models", found.graphs());
  }

  private static String notAllowed(Model model, String graph) {
    return "graph '%s' may not use the model '%s': the operator of this server allows it to others"
        .formatted(graph, model.name());
  }
}
