package dev.superstep.state;

import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The declared channels of a graph.
public final class Channels {
  private static final Channels UNDECLARED = new Channels(Map.of(), false);
  private final Map<String, Channel> declared;
  private final boolean strict;
  private final List<Channel> messages;
  private final Set<String> mirrors;

  /// @param strict whether a write to an undeclared channel fails the task (E3)
  public Channels(Map<String, Channel> declared, boolean strict) {
    this.declared = Collections.unmodifiableMap(new LinkedHashMap<>(declared));
    this.strict = strict;
    messages =
        this.declared.values().stream()
            .filter(it -> it.reducer() instanceof Reducer.Messages)
            .toList();
    mirrors = new HashSet<>();
    this.declared.values().forEach(it -> it.mirrorTo().ifPresent(mirrors::add));
  }

  public static Channels none() {
    return UNDECLARED;
  }

  public static Channels of(Collection<Channel> channels) {
    var declared = new LinkedHashMap<String, Channel>();
    channels.forEach(it -> declared.put(it.name(), it));
    return new Channels(declared, false);
  }

  public Map<String, Channel> declared() {
    return declared;
  }

  public boolean strict() {
    return strict;
  }

  /// The channel of that name; an undeclared one is `last_value`.
  public Channel get(String name) {
    var found = declared.get(name);
    return found == null ? Channel.undeclared(name) : found;
  }

  /// The state at superstep 0, before the input is folded: every channel's default (E18). Default
  /// messages without id get one; what a mirrored channel starts with is in its mirror, too (E21).
  ///
  /// @throws ReduceException if the default of a `messages` channel holds something else
  public GraphState initial() {
    var state = GraphState.empty();
    for (var channel : declared.values()) {
      @Nullable Value initial = channel.initial().orElse(null);
      if (initial != null) {
        state = state.with(channel.name(), MessageIds.identified(initial, channel, "default"));
      }
    }
    for (var channel : messages) {
      if (channel.mirrorTo().isPresent()
          && state.get(channel.name()) instanceof ListValue list
          && state.channels().getOr(channel.mirrorTo().get(), ListValue.empty())
              instanceof ListValue mirror) {
        state = state.with(channel.mirrorTo().get(), mirror.plusAll(MessageList.history(list)));
      }
    }
    return state;
  }

  boolean has(String name) {
    return declared.containsKey(name);
  }

  /// Whether some channel mirrors to this one.
  boolean isMirror(String name) {
    return mirrors.contains(name);
  }

  /// The channels with reducer `messages`, in order of declaration.
  List<Channel> messages() {
    return messages;
  }
}
