package dev.superstep.definition.type;

import java.util.Set;

/// The channels that a node writes, as far as they are known before it runs.
///
/// @param own by its type, whether the author names them or not
/// @param named by its configuration
/// @param others whether it may write more
public record WrittenChannels(Set<String> own, Set<String> named, Others others) {
  /// Nothing is known.
  public static final WrittenChannels ANYTHING =
      new WrittenChannels(Set.of(), Set.of(), Others.POSSIBLE);

  public static final WrittenChannels NOTHING =
      new WrittenChannels(Set.of(), Set.of(), Others.NONE);

  /// Channels that nothing names beforehand.
  public enum Others {
    NONE,
    POSSIBLE
  }

  public WrittenChannels {
    own = Set.copyOf(own);
    named = Set.copyOf(named);
  }

  /// Only the channels that the configuration names.
  public static WrittenChannels named(String... channels) {
    return new WrittenChannels(Set.of(), Set.of(channels), Others.NONE);
  }
}
