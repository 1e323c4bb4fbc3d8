package dev.superstep.state;

import dev.superstep.state.value.ListValue;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

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

  /// The state that a run inherits from the run before it in its thread: everything but the
  /// channels that live for one run.
  public GraphState carriedOver(GraphState before) {
    var state = before;
    for (var name : before.channels().asMap().keySet()) {
      if (get(name).lifetime() == Channel.Lifetime.RUN) {
        state = state.without(name);
      }
    }
    return state;
  }

  /// The state at superstep 0, before the input is folded: `before` and the defaults of the
  /// channels it lacks (E18). Default messages without id get one; what a mirrored channel starts
  /// with is in its mirror, too (E21).
  ///
  /// @param before empty, or what the thread's last run has left
  public GraphState withDefaults(GraphState before) {
    var state = before;
    for (var channel : declared.values()) {
      if (channel.initial().isPresent() && before.get(channel.name()) == null) {
        var value = MessageIds.identified(channel.initial().get(), channel, "default");
        state = state.with(channel.name(), value);
      }
    }
    for (var channel : messages) {
      if (channel.initial().isPresent() && before.get(channel.name()) == null) {
        state = mirrored(state, channel);
      }
    }
    return state;
  }

  private static GraphState mirrored(GraphState state, Channel channel) {
    var target = channel.mirrorTo();
    return target.isPresent()
            && state.get(channel.name()) instanceof ListValue list
            && state.channels().getOr(target.get(), ListValue.empty()) instanceof ListValue mirror
        ? state.with(target.get(), mirror.plusAll(MessageList.history(list)))
        : state;
  }

  boolean has(String name) {
    return declared.containsKey(name);
  }

  /// Whether some channel mirrors to this one.
  boolean isMirror(String name) {
    return mirrors.contains(name);
  }

  /// Whether any channel has the reducer `messages`.
  public boolean keepsMessages() {
    return !messages.isEmpty();
  }

  /// The channels with reducer `messages`, in order of declaration.
  List<Channel> messages() {
    return messages;
  }
}
