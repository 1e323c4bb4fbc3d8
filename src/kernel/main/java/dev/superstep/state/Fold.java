package dev.superstep.state;

import dev.superstep.state.value.Identity;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Folds the changes of one superstep over a frozen state, in task order (E10.4).
///
/// A change is atomic: one that cannot be folded leaves the accumulated state as it was and is
/// reported as a [Problem] of its task. Folding is linear in the changes, not in the state. For one
/// thread.
public final class Fold {
  private final Channels channels;
  private final GraphState base;
  private final @Nullable Map<String, Optional<Value>> stored;
  private final Map<String, ChannelFold> channelFolds = new LinkedHashMap<>();
  private final List<ChannelFold> saved = new ArrayList<>();
  private final List<String> opened = new ArrayList<>();
  private @Nullable GraphState folded;
  private int task;
  private int conflicts;

  private Fold(Channels channels, GraphState base, @Nullable Map<String, Optional<Value>> stored) {
    this.channels = channels;
    this.base = base;
    this.stored = stored;
  }

  public static Fold over(Channels channels, GraphState base) {
    return new Fold(channels, base, null);
  }

  /// Folds changes that were folded before, to rebuild a state: no user's function runs, neither
  /// merges nor schema checks (E19).
  ///
  /// @param opaque what the first fold gave as [#opaque]
  public static Fold replay(
      Channels channels, GraphState base, Map<String, Optional<Value>> opaque) {
    return new Fold(channels, base, opaque);
  }

  /// Folds the changes of one task, in order, all or none.
  public Optional<Problem> apply(List<Change> changes) {
    task++;
    folded = null;
    try {
      for (var change : changes) {
        fold(change);
      }
      saved.clear();
      opened.clear();
      return Optional.empty();
    } catch (Refusal refusal) {
      undo();
      return Optional.of(refusal.problem());
    } catch (RuntimeException | Error e) {
      undo();
      throw e;
    }
  }

  /// The accumulated state.
  public GraphState state() {
    var state = folded;
    if (state == null) {
      var members = base.channels();
      for (var channelFold : channelFolds.values()) {
        var value = result(channelFold);
        members =
            value == null
                ? members.minus(channelFold.name())
                : members.plus(channelFold.name(), value);
      }
      state = Identity.same(members, base.channels()) ? base : GraphState.of(members);
      folded = state;
    }
    return state;
  }

  /// The channels some change touched, mirrors included, in order of first touch.
  public Set<String> touched() {
    return Collections.unmodifiableSet(channelFolds.keySet());
  }

  /// The final values of touched channels whose reducer is a [Reducer.Custom], for the delta (E19).
  /// Empty optional: the channel was removed.
  public Map<String, Optional<Value>> opaque() {
    Map<String, Optional<Value>> values = Map.of();
    for (var channelFold : channelFolds.values()) {
      if (isOpaque(channelFold.channel())) {
        values = values.isEmpty() ? new LinkedHashMap<>() : values;
        values.put(channelFold.name(), Optional.ofNullable(result(channelFold)));
      }
    }
    return values;
  }

  /// `last_value` channels that more than one task wrote, in order of first conflict.
  public List<String> conflicts() {
    if (conflicts == 0) {
      return List.of();
    }
    return channelFolds.values().stream()
        .filter(it -> it.conflict() > 0)
        .sorted(Comparator.comparingInt(ChannelFold::conflict))
        .map(ChannelFold::name)
        .toList();
  }

  /// Why a task's change cannot be folded. None of these is retried automatically (E20).
  ///
  /// @param code `reducer_failed`, `schema_violation`, `undeclared_channel`, `reserved_channel`,
  ///   `invalid_channel_name`, `append_only`, `mirror_target` or `channel_conflict`
  /// @param channel "" if no channel is to blame, but a message id
  /// @param pointer JSON pointer into what the change holds for the channel
  public record Problem(String code, String channel, String pointer, String message) {}

  private void fold(Change change) {
    for (var listCompaction : change.cuts()) {
      compact(listCompaction);
    }
    for (var name : change.remove()) {
      remove(name);
    }
    for (var id : change.removeMessages()) {
      removeMessage(id);
    }
    if (!change.overwrite().isEmpty()) {
      change.overwrite().forEach(this::overwrite);
    }
    change.update().forEach(this::update);
  }

  private void compact(ListCompaction listCompaction) {
    var channel = admitted(listCompaction.channel());
    FoldChecks.requireShrinkable(channel, "compacted");
    try {
      written(channel).compact(listCompaction);
      if (stored == null) {
        FoldChecks.requireValid(channel, listCompaction);
      }
    } catch (ReduceException e) {
      throw new Refusal(FoldChecks.failed(channel, e));
    }
  }

  private void remove(String name) {
    var channel = admitted(name);
    FoldChecks.requireShrinkable(channel, "removed");
    var channelFold = channelFolds.get(name);
    if (channelFold == null ? base.get(name) == null : channelFold.value() == null) {
      return;
    }
    written(channel).clear();
  }

  /// Takes a message out of every channel of messages that has it. A message that a sibling has
  /// removed already is accepted; one that never existed is an error.
  private void removeMessage(String id) {
    boolean known = false;
    for (var channel : channels.messages()) {
      if (!channels.isMirror(channel.name())) {
        known |= removeMessage(channel, id);
      }
    }
    if (!known) {
      FoldChecks.refuseUnknown(id);
    }
  }

  private boolean removeMessage(Channel channel, String id) {
    var channelFold = channelFolds.get(channel.name());
    var before = new ChannelFold(channel, base.get(channel.name()), task).messages();
    var messages = channelFold == null ? before : channelFold.messages();
    if (!messages.has(id)) {
      return messages.hadRemoved(id) || before.has(id);
    }
    FoldChecks.requireShrinkable(channel, "shortened");
    open(channel).set(messages.without(id));
    return true;
  }

  private void overwrite(String name, Value value) {
    var channel = admitted(name);
    FoldChecks.requireShrinkable(channel, "overwritten");
    var channelFold = written(channel);
    if (stored != null && isOpaque(channel)) {
      return;
    }
    change(channelFold, value, (into, fresh) -> into.overwrite(value, fresh));
    if (stored == null) {
      FoldChecks.requireValid(channel, value);
    }
  }

  private void update(String name, Value value) {
    var channel = admitted(name);
    var channelFold = written(channel);
    if (stored != null && isOpaque(channel)) {
      return;
    }
    change(channelFold, value, (into, fresh) -> into.update(value, fresh));
    if (stored == null) {
      FoldChecks.requireValidUpdate(channelFold, value);
    }
  }

  private void change(
      ChannelFold channelFold, Value value, BiConsumer<ChannelFold, Consumer<Value>> write) {
    var channel = channelFold.channel();
    try {
      if (stored == null && channel.reducer() instanceof Reducer.Messages) {
        MessageShape.require(Typed.block(value, "messages"));
      }
      if (channel.mirrorTo().isEmpty()) {
        write.accept(channelFold, _ -> {});
        return;
      }
      var fresh = ListValue.builder();
      write.accept(channelFold, fresh::add);
      var history = MessageList.history(fresh.build());
      if (!history.isEmpty()) {
        mirror(channels.get(channel.mirrorTo().get()), history);
      }
    } catch (ReduceException | IllegalArgumentException e) {
      throw new Refusal(FoldChecks.failed(channel, e));
    }
  }

  private void mirror(Channel mirror, ListValue history) {
    open(mirror).mirror(history);
    if (stored == null) {
      FoldChecks.requireValid(mirror, history);
    }
  }

  /// The channel of that name, if a change may name it at all.
  private Channel admitted(String name) {
    var channel = channels.get(name);
    FoldChecks.requireAdmitted(channels, channel);
    if (stored == null) {
      FoldChecks.requireNamed(channels, name);
    }
    return channel;
  }

  /// The fold of a channel that the task writes itself.
  private ChannelFold written(Channel channel) {
    var channelFold = open(channel);
    if (channel.reducer() instanceof Reducer.LastValue && channelFold.isContested(task)) {
      if (channel.onConflict() == Channel.OnConflict.ERROR) {
        FoldChecks.refuseConflict(channel);
      }
      if (channelFold.conflict() == 0) {
        channelFold.contested(++conflicts);
      }
    }
    channelFold.wroteBy(task);
    return channelFold;
  }

  private ChannelFold open(Channel channel) {
    var channelFold = channelFolds.get(channel.name());
    if (channelFold == null) {
      channelFold = new ChannelFold(channel, base.get(channel.name()), task);
      channelFolds.put(channel.name(), channelFold);
      opened.add(channel.name());
    } else {
      var copy = channelFold.savedFor(task);
      if (copy != null) {
        saved.add(copy);
      }
    }
    return channelFold;
  }

  private void undo() {
    saved.forEach(it -> channelFolds.put(it.name(), it));
    opened.forEach(channelFolds::remove);
    saved.clear();
    opened.clear();
  }

  private @Nullable Value result(ChannelFold channelFold) {
    if (stored != null && isOpaque(channelFold.channel())) {
      var known = stored.get(channelFold.name());
      return known == null ? channelFold.value() : known.orElse(null);
    }
    return channelFold.value();
  }

  private static boolean isOpaque(Channel channel) {
    return channel.reducer() instanceof Reducer.Custom;
  }
}
