package dev.superstep.node;

import dev.superstep.definition.Writes;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Which channels the templates of a node result write.
public final class ResultWrites {
  private static final List<String> WRITING = List.of("update", "overwrite");

  private ResultWrites() {}

  /// @param result templates of a node result by its keys, or one template for all of it
  public static Writes of(Value result) {
    if (!(result instanceof ObjectValue object)) {
      return Writes.ANYTHING;
    }
    var named = new HashSet<String>();
    var others = Writes.Others.NONE;
    for (var key : WRITING) {
      switch (object.getOr(key, ObjectValue.empty())) {
        case ObjectValue channels -> named.addAll(channels.asMap().keySet());
        case Value _ -> others = Writes.Others.POSSIBLE;
      }
    }
    return new Writes(Set.of(), named, others);
  }
}
