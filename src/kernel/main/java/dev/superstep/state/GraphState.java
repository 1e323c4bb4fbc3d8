package dev.superstep.state;

import dev.superstep.state.value.Accessors;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import org.jspecify.annotations.Nullable;

/// The state every task of a superstep reads: channel → value. Immutable (E2).
public final class GraphState implements Accessors {
  private static final GraphState EMPTY = new GraphState(ObjectValue.empty());
  private final ObjectValue channels;

  private GraphState(ObjectValue channels) {
    this.channels = channels;
  }

  public static GraphState empty() {
    return EMPTY;
  }

  public static GraphState of(ObjectValue channels) {
    return new GraphState(channels);
  }

  @Override
  public @Nullable Value get(String channel) {
    return channels.get(channel);
  }

  public ObjectValue channels() {
    return channels;
  }

  /// The size of the state's canonical form. After a change it costs O(change): lists and objects
  /// remember theirs.
  public long sizeBytes() {
    return Canonical.size(channels);
  }

  public GraphState with(String channel, Value value) {
    return new GraphState(channels.plus(channel, value));
  }

  public GraphState without(String channel) {
    return new GraphState(channels.minus(channel));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof GraphState state && channels.equals(state.channels);
  }

  @Override
  public int hashCode() {
    return channels.hashCode();
  }

  @Override
  public String toString() {
    return channels.toString();
  }
}
