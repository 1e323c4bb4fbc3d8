package dev.superstep.context;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// The processors of this server by name (P14, S4-25).
public final class Processors {
  public static final Processors NONE = new Processors(Map.of());
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]{0,63}");
  private final Map<String, ContextProcessor> processors;

  private Processors(Map<String, ContextProcessor> processors) {
    this.processors = processors;
  }

  /// @throws IllegalArgumentException if a name is none, or that of a built-in context type
  public static Processors of(Map<String, ContextProcessor> processors) {
    processors.keySet().forEach(Processors::require);
    return new Processors(new TreeMap<>(processors));
  }

  private static void require(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("'%s' is no name for a context processor".formatted(name));
    }
    if (NodeContextType.Standard.find(name).isPresent()) {
      throw new IllegalArgumentException(
          "'%s' is a built-in context type and cannot be replaced; rename the processor"
              .formatted(name));
    }
  }

  /// These and one more.
  ///
  /// @throws IllegalArgumentException if the name is taken or cannot be used
  public Processors with(String name, ContextProcessor processor) {
    if (processors.containsKey(name)) {
      throw new IllegalArgumentException(
          "there are two context processors '%s'; rename one".formatted(name));
    }
    var more = new TreeMap<>(processors);
    more.put(name, processor);
    return of(more);
  }

  public Optional<ContextProcessor> find(String name) {
    return Optional.ofNullable(processors.get(name));
  }

  /// By name.
  public Map<String, ContextProcessor> all() {
    return Collections.unmodifiableMap(processors);
  }
}
