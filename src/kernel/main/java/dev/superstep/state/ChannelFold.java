package dev.superstep.state;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.Value;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The state of one channel while changes are folded. Everything it refers to is immutable, so that
/// a copy is a savepoint.
final class ChannelFold {
  private final Channel channel;
  private @Nullable Value value;

  /// Stands in for `value` until it is read.
  private @Nullable MessageList messages;

  /// Pending updates of a `union`: joined once, not once per update.
  private @Nullable ListValue joining;

  private int savedBy;
  private int writer;
  private int conflict;

  ChannelFold(Channel channel, @Nullable Value value, int task) {
    this.channel = channel;
    this.value = value;
    this.savedBy = task;
  }

  private ChannelFold(ChannelFold original) {
    channel = original.channel;
    value = original.value;
    messages = original.messages;
    joining = original.joining;
    savedBy = original.savedBy;
    writer = original.writer;
    conflict = original.conflict;
  }

  /// A savepoint, if `task` has none yet.
  @Nullable ChannelFold savedFor(int task) {
    if (savedBy == task) {
      return null;
    }
    var copy = new ChannelFold(this);
    savedBy = task;
    return copy;
  }

  Channel channel() {
    return channel;
  }

  String name() {
    return channel.name();
  }

  /// Null: the channel has no value.
  @Nullable Value value() {
    var list = messages;
    if (list != null) {
      value = list.toList();
      messages = null;
    }
    var waiting = joining;
    if (waiting != null) {
      value = UnionSet.join(Typed.list(value), waiting);
      joining = null;
    }
    return value;
  }

  MessageList messages() {
    var list = messages;
    if (list == null) {
      list = MessageList.of(ListValue.orEmpty(value));
    }
    return list;
  }

  void set(MessageList list) {
    messages = list;
  }

  void clear() {
    value = null;
    messages = null;
    joining = null;
  }

  void overwrite(Value replacement, Consumer<Value> fresh) {
    if (channel.reducer() instanceof Reducer.Messages) {
      messages = messages().overwritten(Typed.block(replacement, "messages"), fresh);
    } else {
      clear();
      value = replacement;
    }
  }

  void update(Value update, Consumer<Value> fresh) {
    switch (channel.reducer()) {
      case Reducer.Messages _ -> {
        var block = Typed.block(update, "messages");
        if (messages == null) {
          Typed.list(value);
        }
        messages = messages().plusAll(block, fresh);
      }
      case Reducer.Union _ -> {
        var block = Typed.block(update, "union");
        var waiting = joining;
        value = Typed.list(value);
        joining = waiting == null ? block : waiting.plusAll(block);
      }
      case Reducer.LastValue _,
          Reducer.FirstValue _,
          Reducer.Append _,
          Reducer.BlockAppend _,
          Reducer.Merge _,
          Reducer.DeepMerge _,
          Reducer.Sum _,
          Reducer.Min _,
          Reducer.Max _ ->
          value = channel.reducer().reduce(value, update);
      case Reducer.Custom custom ->
          value = custom.reduce(value == null ? channel.initial().orElse(null) : value, update);
    }
  }

  /// Replaces the items that a summary covers. A mirror gets none of it.
  void compact(ListCompaction listCompaction) {
    var shorter = listCompaction.applyTo(Typed.list(value()));
    clear();
    value = shorter;
  }

  /// Takes what a channel mirrored here has got.
  void mirror(ListValue fresh) {
    value = Typed.list(value()).plusAll(fresh);
  }

  /// Whether another task of this fold has written the channel.
  boolean isContested(int task) {
    return writer != 0 && writer != task;
  }

  void wroteBy(int task) {
    writer = task;
  }

  /// The position of the first conflict among those of the fold, from 1; 0: none.
  int conflict() {
    return conflict;
  }

  void contested(int position) {
    conflict = position;
  }
}
