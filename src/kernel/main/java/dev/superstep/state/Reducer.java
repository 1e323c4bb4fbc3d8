package dev.superstep.state;

import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import org.jspecify.annotations.Nullable;

/// How a channel takes one update (E16). Called in task order on one thread.
public sealed interface Reducer {

  /// The value of the channel after `update`.
  ///
  /// @param current null: the channel has no value (E18)
  /// @throws ReduceException if either has the wrong type, or a user's merge fails (E20)
  Value reduce(@Nullable Value current, Value update);

  record LastValue() implements Reducer {
    @Override
    public Value reduce(@Nullable Value current, Value update) {
      return update;
    }
  }

  record FirstValue() implements Reducer {
    @Override
    public Value reduce(@Nullable Value current, Value update) {
      return current == null ? update : current;
    }
  }

  /// Takes one item or a list.
  record Append() implements Reducer {
    @Override
    public Value reduce(@Nullable Value current, Value update) {
      var list = Typed.list(current);
      return update instanceof ListValue block ? list.plusAll(block) : list.plus(update);
    }
  }

  /// Takes a list only.
  record BlockAppend() implements Reducer {
    @Override
    public Value reduce(@Nullable Value current, Value update) {
      return Typed.list(current).plusAll(Typed.block(update, "block_append"));
    }
  }

  /// Block append with upsert by message `id`.
  record Messages() implements Reducer {
    @Override
    public Value reduce(@Nullable Value current, Value update) {
      return MessageList.of(Typed.list(current))
          .plusAll(Typed.block(update, "messages"), _ -> {})
          .toList();
    }
  }

  /// The update's members over the existing ones.
  record Merge() implements Reducer {
    @Override
    public Value reduce(@Nullable Value current, Value update) {
      return Typed.object(current).plusAll(Typed.members(update, "merge"));
    }
  }

  /// Like [Merge], and so are members that are objects on both sides; anything else is replaced.
  record DeepMerge() implements Reducer {
    @Override
    public Value reduce(@Nullable Value current, Value update) {
      return merged(Typed.object(current), Typed.members(update, "deep_merge"), 0);
    }

    private static ObjectValue merged(ObjectValue left, ObjectValue right, int depth) {
      Canonical.requireDepth(depth);
      if (left.isEmpty()) {
        return right;
      }
      var result = left;
      for (var member : right.asMap().entrySet()) {
        var value = member.getValue();
        var joined =
            value instanceof ObjectValue more
                    && left.get(member.getKey()) instanceof ObjectValue old
                ? merged(old, more, depth + 1)
                : value;
        result = result.plus(member.getKey(), joined);
      }
      return result;
    }
  }

  /// Integers stay integers; with a double the sum is a double. Leaving the range fails.
  record Sum() implements Reducer {
    @Override
    public Value reduce(@Nullable Value current, Value update) {
      return Numbers.sum(current == null ? Value.of(0) : current, update);
    }
  }

  /// Numbers by exact value, or strings by code point; of equal ones the first stays.
  record Min() implements Reducer {
    @Override
    public Value reduce(@Nullable Value current, Value update) {
      return Numbers.smaller(current, update);
    }
  }

  /// See [Min].
  record Max() implements Reducer {
    @Override
    public Value reduce(@Nullable Value current, Value update) {
      return Numbers.larger(current, update);
    }
  }

  /// Takes a list; each value once, scalars sorted, 1 and 1.0 different.
  record Union() implements Reducer {
    @Override
    public Value reduce(@Nullable Value current, Value update) {
      return UnionSet.join(Typed.list(current), Typed.block(update, "union"));
    }
  }

  /// A user's merge; its result is stored with the delta, so that reading history never runs it.
  record Custom(String name, MergeFunction function) implements Reducer {
    @Override
    public Value reduce(@Nullable Value current, Value update) {
      return current == null ? update : UserMerge.call(this, current, update);
    }
  }
}
