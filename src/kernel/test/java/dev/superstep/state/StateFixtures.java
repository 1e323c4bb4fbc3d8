package dev.superstep.state;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/// Short forms for tests.
public final class StateFixtures {
  private StateFixtures() {}

  static Channels channels(Channel... channels) {
    return Channels.of(List.of(channels));
  }

  static Channel channel(String name, Reducer reducer) {
    return Channel.of(name, reducer);
  }

  static Channel appendOnly(String name) {
    return new Channel(
        name,
        new Reducer.BlockAppend(),
        Optional.empty(),
        true,
        Optional.empty(),
        Channel.OnConflict.LAST,
        ValueCheck.NONE);
  }

  static Channel mirrored(String name, String mirror) {
    return new Channel(
        name,
        new Reducer.Messages(),
        Optional.empty(),
        false,
        Optional.of(mirror),
        Channel.OnConflict.LAST,
        ValueCheck.NONE);
  }

  static Channel checked(String name, Reducer reducer, ValueCheck check) {
    return new Channel(
        name, reducer, Optional.empty(), false, Optional.empty(), Channel.OnConflict.LAST, check);
  }

  static GraphState state(String channel, Value value) {
    return GraphState.empty().with(channel, value);
  }

  public static ListValue ints(long... numbers) {
    return ListValue.of(LongStream.of(numbers).mapToObj(Value::of).toList());
  }

  static Change change(String channel, Value value) {
    return Change.update(channel, value);
  }

  static Change change(String first, Value value, String second, Value other) {
    return Change.update(ObjectValue.of(first, value).plus(second, other));
  }

  static Change overwrite(String channel, Value value) {
    return new Change(List.of(), List.of(), ObjectValue.of(channel, value), ObjectValue.empty());
  }

  static Change remove(String channel) {
    return new Change(List.of(channel), List.of(), ObjectValue.empty(), ObjectValue.empty());
  }

  static Change removeMessages(String... ids) {
    return new Change(List.of(), List.of(ids), ObjectValue.empty(), ObjectValue.empty());
  }

  static ObjectValue message(String id, String content) {
    return ObjectValue.of("id", Value.of(id))
        .plus("role", Value.of("user"))
        .plus("content", Value.of(content));
  }

  static ListValue messages(ObjectValue... messages) {
    return ListValue.of(List.of(messages));
  }
}
