package dev.superstep.state;

import org.jspecify.annotations.Nullable;

/// What the built-in reducers do (E16–E18).
final class Reducers {
  /// How deep the result of a user's merge may be nested, like every value from outside.
  private static final int DEPTH_MAX = 200;

  private Reducers() {}

  /// @param current null: the channel has no value
  /// @throws ReduceException if the update or the current value has the wrong type
  static Value reduce(Reducer reducer, @Nullable Value current, Value update) {
    return switch (reducer) {
      case Reducer.LastValue _ -> update;
      case Reducer.FirstValue _ -> current == null ? update : current;
      case Reducer.Append _ -> append(current, update);
      case Reducer.BlockAppend _ -> list(current).plusAll(block(update, "block_append"));
      case Reducer.Messages _ ->
          MessageList.of(list(current)).plusAll(block(update, "messages"), _ -> {}).toList();
      case Reducer.Merge _ -> object(current).plusAll(members(update, "merge"));
      case Reducer.DeepMerge _ -> deepMerge(object(current), members(update, "deep_merge"), 0);
      case Reducer.Sum _ -> Numbers.sum(current == null ? Value.of(0) : current, update);
      case Reducer.Min _ -> Numbers.smaller(current, update);
      case Reducer.Max _ -> Numbers.larger(current, update);
      case Reducer.Union _ -> UnionSet.join(list(current), block(update, "union"));
      case Reducer.Custom custom -> current == null ? update : custom(custom, current, update);
    };
  }

  /// Whether an update is a block that the channel takes in, so that its schema is checked against
  /// the block and not against all that is there.
  static boolean takesBlocks(Reducer reducer) {
    return reducer instanceof Reducer.Append
        || reducer instanceof Reducer.BlockAppend
        || reducer instanceof Reducer.Messages
        || reducer instanceof Reducer.Union;
  }

  static ListValue block(Value update, String reducer) {
    if (update instanceof ListValue list) {
      return list;
    }
    throw new ReduceException("", "%s takes an array, not %s".formatted(reducer, named(update)));
  }

  static ListValue list(@Nullable Value current) {
    if (current == null) {
      return ListValue.empty();
    }
    if (current instanceof ListValue list) {
      return list;
    }
    throw new ReduceException("", "the channel holds %s, no array".formatted(named(current)));
  }

  /// A value's type with its article.
  static String named(Value value) {
    return switch (value) {
      case Value.Null _ -> "null";
      case ListValue _, ObjectValue _, Value.Int _ -> "an " + value.typeName();
      case Value.Bool _, Value.Real _, Value.Text _ -> "a " + value.typeName();
    };
  }

  private static ListValue append(@Nullable Value current, Value update) {
    var list = list(current);
    return update instanceof ListValue block ? list.plusAll(block) : list.plus(update);
  }

  private static ObjectValue members(Value update, String reducer) {
    if (update instanceof ObjectValue object) {
      return object;
    }
    throw new ReduceException("", "%s takes an object, not %s".formatted(reducer, named(update)));
  }

  private static ObjectValue object(@Nullable Value current) {
    if (current == null) {
      return ObjectValue.empty();
    }
    if (current instanceof ObjectValue object) {
      return object;
    }
    throw new ReduceException("", "the channel holds %s, no object".formatted(named(current)));
  }

  private static ObjectValue deepMerge(ObjectValue left, ObjectValue right, int depth) {
    Canonical.requireDepth(depth);
    if (left.isEmpty()) {
      return right;
    }
    var merged = new ObjectValue[] {left};
    right.forEach((key, value) -> {
      var joined =
          value instanceof ObjectValue more && left.get(key) instanceof ObjectValue old
              ? deepMerge(old, more, depth + 1)
              : value;
      merged[0] = merged[0].plus(key, joined);
    });
    return merged[0];
  }

  private static Value custom(Reducer.Custom custom, Value current, Value update) {
    @Nullable Value merged;
    try {
      merged = custom.function().merge(current, update);
    } catch (ReduceException e) {
      throw e;
    } catch (RuntimeException | StackOverflowError e) {
      var said = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
      throw new ReduceException("", "%s failed: %s".formatted(custom.name(), said), e);
    }
    if (merged == null) {
      throw new ReduceException("", custom.name() + " returned nothing; JSON null is a value");
    }
    if (isDeeper(merged, DEPTH_MAX)) {
      throw new ReduceException(
          "", "%s returned more than %d levels".formatted(custom.name(), DEPTH_MAX));
    }
    return merged;
  }

  private static boolean isDeeper(Value value, int levels) {
    return switch (value) {
      case ListValue list -> {
        for (var item : list) {
          if (levels == 0 || isDeeper(item, levels - 1)) {
            yield true;
          }
        }
        yield false;
      }
      case ObjectValue object -> {
        for (var member : object.asMap().values()) {
          if (levels == 0 || isDeeper(member, levels - 1)) {
            yield true;
          }
        }
        yield false;
      }
      case Value.Null _, Value.Bool _, Value.Int _, Value.Real _, Value.Text _ -> false;
    };
  }
}
