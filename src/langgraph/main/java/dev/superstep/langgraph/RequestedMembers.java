package dev.superstep.langgraph;

import dev.superstep.state.value.ObjectValue;
import java.util.Set;

/// Keeps the members that a request selects.
public final class RequestedMembers {
  private RequestedMembers() {}

  /// @param names empty: all
  public static ObjectValue of(ObjectValue whole, Set<String> names) {
    if (names.isEmpty()) {
      return whole;
    }
    var selected = ObjectValue.builder();
    whole.forEach((name, value) -> {
      if (names.contains(name)) {
        selected.put(name, value);
      }
    });
    return selected.build();
  }
}
