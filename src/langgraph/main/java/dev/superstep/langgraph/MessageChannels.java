package dev.superstep.langgraph;

import dev.superstep.graph.Pointer;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.Change;
import dev.superstep.state.Channel;
import dev.superstep.state.Channels;
import dev.superstep.state.Reducer;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Converts states, updates and inputs of one graph: values of channels that hold messages, and no
/// others.
public final class MessageChannels {
  /// A graph without messages.
  public static final MessageChannels NONE = of(Channels.none());

  private final List<String> messages;
  private final Set<String> all;

  private MessageChannels(List<String> messages, Set<String> all) {
    this.messages = List.copyOf(messages);
    this.all = Set.copyOf(all);
  }

  /// Those of a graph with these channels.
  public static MessageChannels of(Channels channels) {
    var held =
        channels.declared().values().stream()
            .filter(it -> it.reducer() instanceof Reducer.Messages)
            .toList();
    var all = new LinkedHashSet<String>();
    for (var channel : held) {
      all.add(channel.name());
      channel.mirrorTo().ifPresent(all::add);
    }
    return new MessageChannels(held.stream().map(Channel::name).toList(), all);
  }

  /// The messages that a change adds; those of mirrors once.
  public List<WireMessage> messages(Change change) {
    var ids = new HashSet<Value>();
    var found = new ArrayList<WireMessage>();
    for (var members : List.of(change.overwrite(), change.update())) {
      members.forEach((channel, value) -> {
        if (all.contains(channel)) {
          ListValue.orEmpty(value)
              .items(ObjectValue.class)
              .filter(it -> ids.add(it.getOr("id", Value.of(found.size()))))
              .forEach(it -> found.add(new WireMessage(it)));
        }
      });
    }
    return found;
  }

  /// A state, or members of one, as clients read it.
  public ObjectValue toWire(ObjectValue state) {
    var written = state;
    for (var channel : all) {
      var value = state.get(channel);
      if (value != null) {
        written = written.plus(channel, WireMessage.json(value));
      }
    }
    return written;
  }

  /// What a task has changed, as `{channel: value}`: an overwritten channel has its new value, a
  /// removed one null; messages that are taken out are messages of the type `remove`. Null if it
  /// has changed nothing.
  public Value toWire(Change change) {
    var written = ObjectValue.empty();
    for (var channel : change.remove()) {
      written = written.plus(channel, Value.NULL);
    }
    written = written.plusAll(toWire(change.overwrite()));
    if (!change.removeMessages().isEmpty() && !messages.isEmpty()) {
      var removals =
          ListValue.of(change.removeMessages().stream().map(WireMessage::removal).toList());
      written = written.plus(messages.getFirst(), removals);
    }
    for (var member : toWire(change.update()).asMap().entrySet()) {
      var before = written.getOr(member.getKey(), Value.NULL);
      written = written.plus(member.getKey(), added(member.getKey(), before, member.getValue()));
    }
    return written.isEmpty() ? Value.NULL : written;
  }

  /// Messages come behind those that take others out.
  private Value added(String channel, Value before, Value value) {
    return messages.contains(channel)
            && before instanceof ListValue list
            && value instanceof ListValue more
        ? list.plusAll(more)
        : value;
  }

  /// What an input or an update of a client asks for, to be folded by the reducers.
  ///
  /// @param values `{channel: value}`, or a list of pairs of these
  /// @param pointer of `values` in the request
  /// @throws ServiceException `wrong_type` or `invalid_value`, at what cannot be read
  public Change toChange(Value values, String pointer) {
    var update = members(values, pointer);
    var overwrite = ObjectValue.empty();
    var removed = new ArrayList<String>();
    for (var channel : all) {
      var value = update.get(channel);
      if (value == null || value instanceof Value.Null) {
        update = update.minus(channel);
        continue;
      }
      var block = WireMessageReader.read(value, Pointer.child(pointer, channel));
      removed.addAll(block.removed());
      if (block.replacesAll()) {
        overwrite = overwrite.plus(channel, block.list());
        update = update.minus(channel);
      } else {
        update = update.plus(channel, block.list());
      }
    }
    return new Change(List.of(), removed, overwrite, withoutEmpty(update));
  }

  /// A block that only removed messages adds none.
  private ObjectValue withoutEmpty(ObjectValue update) {
    var left = update;
    for (var channel : all) {
      if (left.get(channel) instanceof ListValue list && list.isEmpty()) {
        left = left.minus(channel);
      }
    }
    return left;
  }

  private static ObjectValue members(Value values, String pointer) {
    return switch (values) {
      case ObjectValue object -> object;
      case Value.Null _ -> ObjectValue.empty();
      case ListValue pairs -> {
        var read = ObjectValue.empty();
        for (var pair : pairs) {
          if (!(pair instanceof ListValue two)
              || two.size() != 2
              || !(two.get(0) instanceof Value.Text(var channel))) {
            throw refused(pointer);
          }
          read = read.plus(channel, two.get(1));
        }
        yield read;
      }
      case Value.Bool _, Value.Int _, Value.Real _, Value.Text _ -> throw refused(pointer);
    };
  }

  private static ServiceException refused(String pointer) {
    return ServiceException.at(
        pointer, ErrorCode.WRONG_TYPE, "must be an object of channels and their values");
  }
}
