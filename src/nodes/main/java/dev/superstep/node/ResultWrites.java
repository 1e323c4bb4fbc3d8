package dev.superstep.node;

import dev.superstep.definition.type.WrittenChannels;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Finds the channels that the templates of a node result write.
public final class ResultWrites {
  private static final List<String> WRITING = List.of("update", "overwrite");

  private ResultWrites() {}

  /// @param result templates of a node result by its keys, or one template for all of it
  public static WrittenChannels of(Value result) {
    if (!(result instanceof ObjectValue object)) {
      return WrittenChannels.ANYTHING;
    }
    var named = new HashSet<String>();
    var others = WrittenChannels.Others.NONE;
    for (var key : WRITING) {
      switch (object.getOr(key, ObjectValue.empty())) {
        case ObjectValue channels -> named.addAll(channels.asMap().keySet());
        case Value _ -> others = WrittenChannels.Others.POSSIBLE;
      }
    }
    return new WrittenChannels(Set.of(), named, others);
  }
}
