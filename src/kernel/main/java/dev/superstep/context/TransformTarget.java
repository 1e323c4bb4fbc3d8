package dev.superstep.context;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// The parts of a prompt context that a rule applies to. History is matched on the entries'
/// `node_id`.
public enum TransformTarget {
  VARIABLES,
  METADATA,
  HISTORY,
  ALL,

  /// Variables and metadata: the default target of edge filters (P10). It has no name in
  /// definitions.
  KEYS;

  /// The values of `target`.
  public static final List<String> NAMES = List.of("variables", "metadata", "history", "all");

  public static Optional<TransformTarget> find(String name) {
    return Stream.of(values()).filter(it -> it != KEYS && it.key().equals(name)).findFirst();
  }

  public boolean covers(Part part) {
    return switch (this) {
      case VARIABLES -> part == Part.VARIABLES;
      case METADATA -> part == Part.METADATA;
      case HISTORY -> part == Part.HISTORY;
      case ALL -> true;
      case KEYS -> part != Part.HISTORY;
    };
  }

  private String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
