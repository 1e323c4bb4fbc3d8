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

  /// @param standard the name of the default one; empty: the only one there is
  Models(Map<String, Model> models, Optional<String> standard) {
    this.models = new TreeMap<>(models);
    this.standard = standard;
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

  public Set<String> names() {
    return models.keySet();
  }

  /// By name.
  public List<Model> all() {
    return List.copyOf(models.values());
  }
}
