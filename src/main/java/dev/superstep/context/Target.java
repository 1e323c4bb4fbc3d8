package dev.superstep.context;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// Which parts of a prompt context a rule is about. History is matched on the entries' `node_id`.
public enum Target {
  VARIABLES(Part.VARIABLES),
  METADATA(Part.METADATA),
  HISTORY(Part.HISTORY),
  ALL(Part.VARIABLES, Part.METADATA, Part.HISTORY),

  /// Variables and metadata: what edge filters are about unless they say otherwise (P10). It has no
  /// name in definitions.
  KEYS(Part.VARIABLES, Part.METADATA);

  /// What `target` may say.
  public static final List<String> NAMES = List.of("variables", "metadata", "history", "all");

  private final List<Part> parts;

  Target(Part... parts) {
    this.parts = List.of(parts);
  }

  static Optional<Target> find(String name) {
    return Stream.of(values()).filter(it -> it != KEYS && it.key().equals(name)).findFirst();
  }

  public boolean covers(Part part) {
    return parts.contains(part);
  }

  private String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
