package dev.superstep.model;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// The chat models of this server by name.
public final class Models {
  private final Map<String, Model> models;
  private final Optional<String> standard;
  private final Optional<String> currency;

  /// @param standard the name of the default one; empty: the only one there is
  /// @param currency of all prices
  Models(Map<String, Model> models, Optional<String> standard, Optional<String> currency) {
    this.models = new TreeMap<>(models);
    this.standard = standard;
    this.currency = currency;
  }

  /// Of a server without any.
  public static Models none() {
    return new Models(Map.of(), Optional.empty(), Optional.empty());
  }

  public Optional<Model> find(String name) {
    return Optional.ofNullable(models.get(name));
  }

  /// The model of a node that names none; empty if there is none, or several and no default.
  public Optional<Model> standard() {
    return standard
        .flatMap(this::find)
        .or(() -> models.size() == 1 ? models.values().stream().findFirst() : Optional.empty());
  }

  /// What the operator calls the unit of all prices, and so of all costs.
  public Optional<String> currency() {
    return currency;
  }

  public Set<String> names() {
    return models.keySet();
  }

  /// By name.
  public List<Model> all() {
    return List.copyOf(models.values());
  }
}
