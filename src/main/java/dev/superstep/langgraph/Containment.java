package dev.superstep.langgraph;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// Whether one JSON value contains another, as `@>` of PostgreSQL sees it: members at any depth,
/// items of lists in any order.
public final class Containment {
  private Containment() {}

  public static boolean contains(Value whole, Value part) {
    return switch (part) {
      case ObjectValue members ->
          whole instanceof ObjectValue object
              && members.asMap().entrySet().stream()
                  .allMatch(it -> {
                    var found = object.get(it.getKey());
                    return found != null && contains(found, it.getValue());
                  });
      case ListValue items ->
          whole instanceof ListValue list
              && stream(items).allMatch(item -> stream(list).anyMatch(it -> contains(it, item)));
      case Value.Null _, Value.Bool _, Value.Int _, Value.Real _, Value.Text _ ->
          whole.equals(part);
    };
  }

  private static Stream<Value> stream(ListValue list) {
    return StreamSupport.stream(list.spliterator(), false);
  }
}
