package dev.superstep.state;

import dev.superstep.state.value.Identity;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.SortedTree;
import dev.superstep.state.value.Value;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A `messages` channel while changes are folded: its items and where each id stands. Persistent,
/// so that a change that fails half-way is undone by going back to the list before it.
///
/// The index stays with the [ListValue] and is taken over by the versions made from it: folding *b*
/// messages into *n* costs O(b log n), but for the first time.
///
/// @param items removed ones replaced by [#GONE], so that positions stay
/// @param ids id → position; [#REMOVED] for a message taken out in this fold
/// @param gone how many items are [#GONE]
record MessageList(ListValue items, SortedTree<Integer> ids, int gone) {
  private static final Value GONE = Value.of("removed");
  private static final int REMOVED = -1;

  public static MessageList of(ListValue list) {
    var ids = list.ids();
    if (ids == null) {
      ids = indexed(list);
      list.remember(ids);
    }
    return new MessageList(list, ids, 0);
  }

  /// The messages that a mirror has not seen yet.
  public static ListValue history(ListValue messages) {
    return messages.filter(it -> !MessageShape.isSummary(it));
  }

  /// The channel's value.
  public ListValue toList() {
    if (gone > 0) {
      return items.filter(it -> !Identity.same(it, GONE));
    }
    items.remember(ids);
    return items;
  }

  /// Appends what is new by id and replaces what is not.
  ///
  /// @param fresh receives each message whose content the list did not hold
  public MessageList plusAll(ListValue block, Consumer<Value> fresh) {
    var list = items;
    var index = ids;
    for (var message : block) {
      @Nullable String id = MessageShape.id(message);
      int position = id == null ? REMOVED : position(index, id);
      if (position != REMOVED) {
        if (list.get(position).equals(message)) {
          continue;
        }
        list = list.with(position, message);
      } else {
        index = id == null ? index : index.with(id, list.size());
        list = list.plus(message);
      }
      fresh.accept(message);
    }
    return new MessageList(list, index, gone);
  }

  /// The list that replaces this one. Its messages have different ids.
  ///
  /// @param fresh receives each message whose content this list did not hold
  public MessageList overwritten(ListValue block, Consumer<Value> fresh) {
    var index = SortedTree.<Integer>empty();
    int position = 0;
    for (var message : block) {
      @Nullable String id = MessageShape.id(message);
      if (id != null) {
        if (index.get(id) != null) {
          throw new ReduceException(
              "/%d/id".formatted(position), "message id '%s' twice".formatted(id));
        }
        index = index.with(id, position);
      }
      if (id == null || !holds(id, message)) {
        fresh.accept(message);
      }
      position++;
    }
    return new MessageList(block, index, 0);
  }

  public boolean has(String id) {
    return position(ids, id) != REMOVED;
  }

  /// Whether a message of this id was taken out in this fold.
  public boolean hadRemoved(String id) {
    var position = ids.get(id);
    return position != null && position == REMOVED;
  }

  public MessageList without(String id) {
    int position = position(ids, id);
    return new MessageList(items.with(position, GONE), ids.with(id, REMOVED), gone + 1);
  }

  private boolean holds(String id, Value message) {
    int position = position(ids, id);
    return position != REMOVED && items.get(position).equals(message);
  }

  private static int position(SortedTree<Integer> ids, String id) {
    var position = ids.get(id);
    return position == null ? REMOVED : position;
  }

  private static SortedTree<Integer> indexed(ListValue list) {
    var index = SortedTree.<Integer>empty();
    for (int i = 0; i < list.size(); i++) {
      @Nullable String id = MessageShape.id(list.get(i));
      if (id != null) {
        index = index.with(id, i);
      }
    }
    return index;
  }
}
