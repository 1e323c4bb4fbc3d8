package dev.superstep.state;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/// The declared channels of a graph.
///
/// @param strict whether a write to an undeclared channel fails the task (E3)
public record Channels(Map<String, Channel> declared, boolean strict) {
  private static final Channels UNDECLARED = new Channels(Map.of(), false);

  public Channels {
    declared = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(declared));
  }

  public static Channels none() {
    return UNDECLARED;
  }

  public static Channels of(Collection<Channel> channels) {
    return new Channels(
        channels.stream()
            .collect(
                Collectors.toMap(Channel::name, it -> it, (_, later) -> later, LinkedHashMap::new)),
        false);
  }

  /// The channel of that name; an undeclared one is `last_value`.
  public Channel get(String name) {
    var found = declared.get(name);
    return found == null ? Channel.undeclared(name) : found;
  }
}
