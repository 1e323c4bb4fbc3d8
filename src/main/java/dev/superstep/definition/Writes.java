package dev.superstep.definition;

import java.util.Set;

/// Which channels a node writes, as far as that can be said before it runs.
///
/// @param own by its type, whether the author names them or not
/// @param named by its configuration
/// @param others whether it may write more
public record Writes(Set<String> own, Set<String> named, Others others) {
  /// Nothing is known.
  public static final Writes ANYTHING = new Writes(Set.of(), Set.of(), Others.POSSIBLE);

  public static final Writes NOTHING = new Writes(Set.of(), Set.of(), Others.NONE);

  /// Channels that nothing names beforehand.
  public enum Others {
    NONE,
    POSSIBLE
  }

  public Writes {
    own = Set.copyOf(own);
    named = Set.copyOf(named);
  }

  /// What the configuration names, and nothing else.
  public static Writes named(String... channels) {
    return new Writes(Set.of(), Set.of(channels), Others.NONE);
  }
}
