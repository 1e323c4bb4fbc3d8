package dev.superstep.langgraph;

import dev.superstep.compute.RequestWork;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;

/// Whether one JSON value contains another, as `@>` of PostgreSQL sees it: members at any depth,
/// items of lists in any order.
public final class Containment {
  private static final int CHARS_A_STEP = 64;

  private Containment() {}

  /// @param work pays for each comparison: lists are compared item by item
  public static boolean contains(Value whole, Value part, RequestWork work) {
    work.accept(1);
    return switch (part) {
      case ObjectValue members ->
          whole instanceof ObjectValue object && containsAll(object, members, work);
      case ListValue items -> whole instanceof ListValue list && containsAll(list, items, work);
      case Value.Text text -> {
        work.accept(text.value().length() / CHARS_A_STEP);
        yield whole.equals(part);
      }
      case Value.Null _, Value.Bool _, Value.Int _, Value.Real _ -> whole.equals(part);
    };
  }

  private static boolean containsAll(ObjectValue object, ObjectValue members, RequestWork work) {
    for (var it : members.asMap().entrySet()) {
      var found = object.get(it.getKey());
      if (found == null || !contains(found, it.getValue(), work)) {
        return false;
      }
    }
    return true;
  }

  private static boolean containsAll(ListValue list, ListValue items, RequestWork work) {
    for (var item : items) {
      if (!hasOne(list, item, work)) {
        return false;
      }
    }
    return true;
  }

  private static boolean hasOne(ListValue list, Value item, RequestWork work) {
    for (var it : list) {
      if (contains(it, item, work)) {
        return true;
      }
    }
    return false;
  }
}
